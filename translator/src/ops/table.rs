//! The rows of the table of DXIL operations.
//!
//! In: nothing. Out: `for_each_dxil_op!`, which gives all rows to a macro. What must hold: the
//! table has one row for each operation of the core opcode table that is not reserved, and no other
//! place in the crate lists all operations. The rows of the group `vendor` are the operations that
//! passes write for vendor intrinsics, and for rays with a reordering, which DXIL has no operation
//! for; no container has them.
//!
//! A row reads
//! ```text
//! group opcode Name(operand: Type[mark] @Role, …) -> Result:
//!     class "overloads", effect(access), tangle, STAGES, shader model => lowering;
//! ```
//! - *group*: the subject under which docs/ops.md counts the operation.
//! - *class*: the middle part of its symbol, `dx.op.<class>.<overload>`. Several operations may
//!   have one class.
//! - *overloads*: the letters of DXC's table. `v` void, `h` half, `f` float, `d` double, `1` i1,
//!   `8` i8, `w` i16, `i` i32, `l` i64, `u` a user's structure, `o` a resource object. The letters
//!   after `<` are the element types of vector overloads (shader model 6.9).
//! - *operands*, without the opcode: the type is an [`OpType`](super::OpType), the mark an
//!   [`OperandKind`](super::OperandKind); without a mark any value is valid. An immediate is an
//!   operand that must be a constant, because DXIL requires it or because the generated code
//!   depends on it.
//! - *Role* is a [`Role`](super::Role): what an operand is to the access. An operand without one is
//!   a number that the operation computes with.
//! - *access* is an [`Access`](super::Access), with its [`Memory`](super::Memory) or
//!   [`QueryState`](super::QueryState) where it has one. Analyses ask for roles and accesses, so
//!   that a new row is known to all of them.
//! - *effect* is a [`MemoryEffect`](super::MemoryEffect). Wave operations are `Pure`: what they
//!   must not be moved across follows from their tangle.
//! - *tangle* is a [`Tangle`](super::Tangle), *STAGES* a [`StageSet`](super::StageSet), *lowering*
//!   a [`Lowering`](super::Lowering).
//!
//! Sources: DXIL.rst, and DXC's `hctdb.py`, from which DXIL's own tables are generated.

/// Calls the named macro with all rows of the table. The [module](self) describes their form.
macro_rules! for_each_dxil_op {
    ($callback:ident) => { $callback! {
        io 0 TempRegLoad(index: I32) -> Overload:
            tempRegLoad "hfwi", Read(Load Registers), None, ALL, 6.0 => func(registers::load);
        io 1 TempRegStore(index: I32, value: Overload) -> Void:
            tempRegStore "hfwi", Write(Store Registers), None, ALL, 6.0 => func(registers::store);
        io 2 MinPrecXRegLoad(reg_index: PtrF32, index: I32, component: I8) -> Overload:
            minPrecXRegLoad "hw", Read(Load Registers), None, ALL, 6.0 => func(registers::load_indexable);
        io 3 MinPrecXRegStore(reg_index: PtrF32, index: I32, component: I8, value: Overload) -> Void:
            minPrecXRegStore "hw", Write(Store Registers), None, ALL, 6.0 => func(registers::store_indexable);
        io 4 LoadInput(
            input_sig_id: I32[Imm] @Element, row_index: I32 @Row, col_index: I8[Imm] @Column, gs_vertex_axis: I32[Undef]
        ) -> Overload:
            loadInput "hfwi", Pure(Load Input), None, ALL, 6.0 => func(io::load_input);
        io 5 StoreOutput(
            output_sig_id: I32[Imm] @Element, row_index: I32 @Row, col_index: I8[Imm] @Column, value: Overload @Value
        ) -> Void:
            storeOutput "hfwi", Write(Store Output), None, ALL, 6.0 => func(outputs::store_output);
        arith 6 FAbs(value: Overload) -> Overload: unary "hfd<hfd", Pure, None, ALL, 6.0 => glsl(FAbs);
        arith 7 Saturate(value: Overload) -> Overload: unary "hfd<hfd", Pure, None, ALL, 6.0 => func(arith::saturate);
        arith 8 IsNaN(value: Overload) -> OverloadI1: isSpecialFloat "hf<hf", Pure, None, ALL, 6.0 => spirv(IsNan);
        arith 9 IsInf(value: Overload) -> OverloadI1: isSpecialFloat "hf<hf", Pure, None, ALL, 6.0 => spirv(IsInf);
        arith 10 IsFinite(value: Overload) -> OverloadI1:
            isSpecialFloat "hf<hf", Pure, None, ALL, 6.0 => func(arith::is_finite);
        arith 11 IsNormal(value: Overload) -> OverloadI1:
            isSpecialFloat "hf<hf", Pure, None, ALL, 6.0 => func(arith::is_normal);
        arith 12 Cos(value: Overload) -> Overload: unary "hf<hf", Pure, None, ALL, 6.0 => glsl(Cos);
        arith 13 Sin(value: Overload) -> Overload: unary "hf<hf", Pure, None, ALL, 6.0 => glsl(Sin);
        arith 14 Tan(value: Overload) -> Overload: unary "hf<hf", Pure, None, ALL, 6.0 => glsl(Tan);
        arith 15 Acos(value: Overload) -> Overload: unary "hf<hf", Pure, None, ALL, 6.0 => glsl(Acos);
        arith 16 Asin(value: Overload) -> Overload: unary "hf<hf", Pure, None, ALL, 6.0 => glsl(Asin);
        arith 17 Atan(value: Overload) -> Overload: unary "hf<hf", Pure, None, ALL, 6.0 => glsl(Atan);
        arith 18 Hcos(value: Overload) -> Overload: unary "hf<hf", Pure, None, ALL, 6.0 => glsl(Cosh);
        arith 19 Hsin(value: Overload) -> Overload: unary "hf<hf", Pure, None, ALL, 6.0 => glsl(Sinh);
        arith 20 Htan(value: Overload) -> Overload: unary "hf<hf", Pure, None, ALL, 6.0 => func(arith::htan);
        arith 21 Exp(value: Overload) -> Overload: unary "hf<hf", Pure, None, ALL, 6.0 => glsl(Exp2);
        arith 22 Frc(value: Overload) -> Overload: unary "hf<hf", Pure, None, ALL, 6.0 => func(arith::frc);
        arith 23 Log(value: Overload) -> Overload: unary "hf<hf", Pure, None, ALL, 6.0 => glsl(Log2);
        arith 24 Sqrt(value: Overload) -> Overload: unary "hf<hf", Pure, None, ALL, 6.0 => glsl(Sqrt);
        arith 25 Rsqrt(value: Overload) -> Overload: unary "hf<hf", Pure, None, ALL, 6.0 => glsl(InverseSqrt);
        arith 26 Round_ne(value: Overload) -> Overload: unary "hf<hf", Pure, None, ALL, 6.0 => glsl(RoundEven);
        arith 27 Round_ni(value: Overload) -> Overload: unary "hf<hf", Pure, None, ALL, 6.0 => glsl(Floor);
        arith 28 Round_pi(value: Overload) -> Overload: unary "hf<hf", Pure, None, ALL, 6.0 => glsl(Ceil);
        arith 29 Round_z(value: Overload) -> Overload: unary "hf<hf", Pure, None, ALL, 6.0 => glsl(Trunc);
        bits 30 Bfrev(value: Overload) -> Overload: unary "wil<wil", Pure, None, ALL, 6.0 => func(bits::bfrev);
        bits 31 Countbits(value: Overload) -> OverloadI32:
            unaryBits "wil<wil", Pure, None, ALL, 6.0 => func(bits::countbits);
        bits 32 FirstbitLo(value: Overload) -> OverloadI32:
            unaryBits "wil<wil", Pure, None, ALL, 6.0 => func(bits::firstbit_lo);
        bits 33 FirstbitHi(value: Overload) -> OverloadI32:
            unaryBits "wil<wil", Pure, None, ALL, 6.0 => func(bits::firstbit_hi);
        bits 34 FirstbitSHi(value: Overload) -> OverloadI32:
            unaryBits "wil<wil", Pure, None, ALL, 6.0 => func(bits::firstbit_shi);
        arith 35 FMax(a: Overload, b: Overload) -> Overload: binary "hfd<hfd", Pure, None, ALL, 6.0 => glsl(NMax);
        arith 36 FMin(a: Overload, b: Overload) -> Overload: binary "hfd<hfd", Pure, None, ALL, 6.0 => glsl(NMin);
        arith 37 IMax(a: Overload, b: Overload) -> Overload: binary "wil<wil", Pure, None, ALL, 6.0 => glsl(SMax);
        arith 38 IMin(a: Overload, b: Overload) -> Overload: binary "wil<wil", Pure, None, ALL, 6.0 => glsl(SMin);
        arith 39 UMax(a: Overload, b: Overload) -> Overload: binary "wil<wil", Pure, None, ALL, 6.0 => glsl(UMax);
        arith 40 UMin(a: Overload, b: Overload) -> Overload: binary "wil<wil", Pure, None, ALL, 6.0 => glsl(UMin);
        arith 41 IMul(a: Overload, b: Overload) -> TwoI32:
            binaryWithTwoOuts "i", Pure, None, ALL, 6.0 => func(arith::imul);
        arith 42 UMul(a: Overload, b: Overload) -> TwoI32:
            binaryWithTwoOuts "i", Pure, None, ALL, 6.0 => func(arith::umul);
        arith 43 UDiv(a: Overload, b: Overload) -> TwoI32:
            binaryWithTwoOuts "i", Pure, None, ALL, 6.0 => func(arith::udiv);
        arith 44 UAddc(a: Overload, b: Overload) -> I32Carry:
            binaryWithCarryOrBorrow "i", Pure, None, ALL, 6.0 => func(arith::uaddc);
        arith 45 USubb(a: Overload, b: Overload) -> I32Carry:
            binaryWithCarryOrBorrow "i", Pure, None, ALL, 6.0 => func(arith::usubb);
        arith 46 FMad(a: Overload, b: Overload, c: Overload) -> Overload:
            tertiary "hfd<hfd", Pure, None, ALL, 6.0 => func(arith::fmad);
        arith 47 Fma(a: Overload, b: Overload, c: Overload) -> Overload:
            tertiary "d<d", Pure, None, ALL, 6.0 => func(arith::fma);
        arith 48 IMad(a: Overload, b: Overload, c: Overload) -> Overload:
            tertiary "wil<wil", Pure, None, ALL, 6.0 => func(arith::imad);
        arith 49 UMad(a: Overload, b: Overload, c: Overload) -> Overload:
            tertiary "wil<wil", Pure, None, ALL, 6.0 => func(arith::umad);
        bits 50 Msad(a: Overload, b: Overload, c: Overload) -> Overload:
            tertiary "i", Pure, None, ALL, 6.0 => func(bits::msad);
        bits 51 Ibfe(a: Overload, b: Overload, c: Overload) -> Overload:
            tertiary "i", Pure, None, ALL, 6.0 => func(bits::ibfe);
        bits 52 Ubfe(a: Overload, b: Overload, c: Overload) -> Overload:
            tertiary "i", Pure, None, ALL, 6.0 => func(bits::ubfe);
        bits 53 Bfi(width: Overload, offset: Overload, value: Overload, replaced_value: Overload) -> Overload:
            quaternary "i", Pure, None, ALL, 6.0 => func(bits::bfi);
        arith 54 Dot2(ax: Overload, ay: Overload, bx: Overload, by: Overload) -> Overload:
            dot2 "hf", Pure, None, ALL, 6.0 => func(arith::dot2);
        arith 55 Dot3(ax: Overload, ay: Overload, az: Overload, bx: Overload, by: Overload, bz: Overload) -> Overload:
            dot3 "hf", Pure, None, ALL, 6.0 => func(arith::dot3);
        arith 56 Dot4(
            ax: Overload, ay: Overload, az: Overload, aw: Overload, bx: Overload, by: Overload, bz: Overload,
            bw: Overload
        ) -> Overload:
            dot4 "hf", Pure, None, ALL, 6.0 => func(arith::dot4);
        handle 57 CreateHandle(
            resource_class: I8[ResourceClass], range_id: I32[Imm], index: I32, non_uniform_index: I1[Imm]
        ) -> Handle:
            createHandle "v", Read(Handle), None, ALL, 6.0 => func(handle::deferred);
        cbuffer 58 CBufferLoad(handle: Handle @Resource, byte_offset: I32 @Index, alignment: I32[Imm]) -> Overload:
            cbufferLoad "hfd8wil", Read(Load Constants), None, ALL, 6.0 => func(cbuffer::cbuffer_load);
        cbuffer 59 CBufferLoadLegacy(handle: Handle @Resource, reg_index: I32 @Index) -> CBufRet:
            cbufferLoadLegacy "hfdwil", Read(Load Constants), None, ALL, 6.0 => func(cbuffer::cbuffer_load_legacy);
        sample 60 Sample(
            srv: Handle @Resource, sampler: Handle @Sampler, coord0: F32 @Coordinate, coord1: F32[Undef] @Coordinate,
            coord2: F32[Undef] @Coordinate, coord3: F32[Undef] @Coordinate, offset0: I32[Undef] @TexelOffset,
            offset1: I32[Undef] @TexelOffset, offset2: I32[Undef] @TexelOffset, clamp: F32[Undef]
        ) -> ResRet:
            sample "hfwi", Read(Sample), Gradient, QUADS, 6.0 => func(sample::sample);
        sample 61 SampleBias(
            srv: Handle @Resource, sampler: Handle @Sampler, coord0: F32 @Coordinate, coord1: F32[Undef] @Coordinate,
            coord2: F32[Undef] @Coordinate, coord3: F32[Undef] @Coordinate, offset0: I32[Undef] @TexelOffset,
            offset1: I32[Undef] @TexelOffset, offset2: I32[Undef] @TexelOffset, bias: F32, clamp: F32[Undef]
        ) -> ResRet:
            sampleBias "hfwi", Read(Sample), Gradient, QUADS, 6.0 => func(sample::sample_bias);
        sample 62 SampleLevel(
            srv: Handle @Resource, sampler: Handle @Sampler, coord0: F32 @Coordinate, coord1: F32[Undef] @Coordinate,
            coord2: F32[Undef] @Coordinate, coord3: F32[Undef] @Coordinate, offset0: I32[Undef] @TexelOffset,
            offset1: I32[Undef] @TexelOffset, offset2: I32[Undef] @TexelOffset, lod: F32 @Level
        ) -> ResRet:
            sampleLevel "hfwi", Read(Sample), None, ALL, 6.0 => func(sample::sample_level);
        sample 63 SampleGrad(
            srv: Handle @Resource, sampler: Handle @Sampler, coord0: F32 @Coordinate, coord1: F32[Undef] @Coordinate,
            coord2: F32[Undef] @Coordinate, coord3: F32[Undef] @Coordinate, offset0: I32[Undef] @TexelOffset,
            offset1: I32[Undef] @TexelOffset, offset2: I32[Undef] @TexelOffset, ddx0: F32, ddx1: F32[Undef],
            ddx2: F32[Undef], ddy0: F32, ddy1: F32[Undef], ddy2: F32[Undef], clamp: F32[Undef]
        ) -> ResRet:
            sampleGrad "hfwi", Read(Sample), None, ALL, 6.0 => func(sample::sample_grad);
        sample 64 SampleCmp(
            srv: Handle @Resource, sampler: Handle @Sampler, coord0: F32 @Coordinate, coord1: F32[Undef] @Coordinate,
            coord2: F32[Undef] @Coordinate, coord3: F32[Undef] @Coordinate, offset0: I32[Undef] @TexelOffset,
            offset1: I32[Undef] @TexelOffset, offset2: I32[Undef] @TexelOffset, compare_value: F32 @Reference,
            clamp: F32[Undef]
        ) -> ResRet:
            sampleCmp "hf", Read(Sample), Gradient, QUADS, 6.0 => func(sample::sample_cmp);
        sample 65 SampleCmpLevelZero(
            srv: Handle @Resource, sampler: Handle @Sampler, coord0: F32 @Coordinate, coord1: F32[Undef] @Coordinate,
            coord2: F32[Undef] @Coordinate, coord3: F32[Undef] @Coordinate, offset0: I32[Undef] @TexelOffset,
            offset1: I32[Undef] @TexelOffset, offset2: I32[Undef] @TexelOffset, compare_value: F32 @Reference
        ) -> ResRet:
            sampleCmpLevelZero "hf", Read(Sample), None, ALL, 6.0 => func(sample::sample_cmp_level_zero);
        texture 66 TextureLoad(
            srv: Handle @Resource, mip_or_sample: I32[Undef], coord0: I32 @Coordinate, coord1: I32[Undef] @Coordinate,
            coord2: I32[Undef] @Coordinate, offset0: I32[Undef] @TexelOffset, offset1: I32[Undef] @TexelOffset,
            offset2: I32[Undef] @TexelOffset
        ) -> ResRet:
            textureLoad "hfwi", Read(Load Texels), None, ALL, 6.0 => func(texture::load);
        texture 67 TextureStore(
            srv: Handle @Resource, coord0: I32 @Coordinate, coord1: I32[Undef] @Coordinate,
            coord2: I32[Undef] @Coordinate, value0: Overload @Value, value1: Overload[Undef] @Value,
            value2: Overload[Undef] @Value, value3: Overload[Undef] @Value, mask: I8[ComponentMask] @Mask
        ) -> Void:
            textureStore "hfwi", Write(Store Texels), None, ALL, 6.0 => func(texture::store);
        buffer 68 BufferLoad(srv: Handle @Resource, index: I32 @Index, offset: I32[Undef] @Offset) -> ResRet:
            bufferLoad "hfwi", Read(Load Buffer), None, ALL, 6.0 => func(buffer::load);
        buffer 69 BufferStore(
            uav: Handle @Resource, index: I32 @Index, offset: I32[Undef] @Offset, value0: Overload @Value,
            value1: Overload[Undef] @Value, value2: Overload[Undef] @Value, value3: Overload[Undef] @Value,
            mask: I8[ComponentMask] @Mask
        ) -> Void:
            bufferStore "hfwi", Write(Store Buffer), None, ALL, 6.0 => func(buffer::store);
        buffer 70 BufferUpdateCounter(uav: Handle @Resource, inc: I8[Imm]) -> I32:
            bufferUpdateCounter "v", Write(Counter), None, ALL, 6.0 => func(counter::update_counter);
        texture 71 CheckAccessFullyMapped(status: Overload) -> I1:
            checkAccessFullyMapped "i", Read, None, ALL, 6.0 => func(texture::check_access_fully_mapped);
        texture 72 GetDimensions(handle: Handle @Resource, mip_level: I32[Undef] @Level) -> Dimensions:
            getDimensions "v", Read(Properties), None, ALL, 6.0 => func(dimensions::dimensions);
        sample 73 TextureGather(
            srv: Handle @Resource, sampler: Handle @Sampler, coord0: F32 @Coordinate, coord1: F32[Undef] @Coordinate,
            coord2: F32[Undef] @Coordinate, coord3: F32[Undef] @Coordinate, offset0: I32[Undef] @TexelOffset,
            offset1: I32[Undef] @TexelOffset, channel: I32[Imm]
        ) -> ResRet:
            textureGather "hfwi", Read(Sample), None, ALL, 6.0 => func(gather::gather);
        sample 74 TextureGatherCmp(
            srv: Handle @Resource, sampler: Handle @Sampler, coord0: F32 @Coordinate, coord1: F32[Undef] @Coordinate,
            coord2: F32[Undef] @Coordinate, coord3: F32[Undef] @Coordinate, offset0: I32[Undef] @TexelOffset,
            offset1: I32[Undef] @TexelOffset, channel: I32[Imm], compare_value: F32 @Reference
        ) -> ResRet:
            textureGatherCmp "hfwi", Read(Sample), None, ALL, 6.0 => func(gather::gather_cmp);
        texture 75 Texture2DMSGetSamplePosition(srv: Handle @Resource, index: I32) -> SamplePos:
            texture2DMSGetSamplePosition "v", Read(Properties), None, ALL, 6.0 => func(samples::sample_position);
        pixel 76 RenderTargetGetSamplePosition(index: I32) -> SamplePos:
            renderTargetGetSamplePosition "v", Read(TargetSamples), None, PIXEL, 6.0
                => func(samples::target_sample_position);
        pixel 77 RenderTargetGetSampleCount() -> I32:
            renderTargetGetSampleCount "v", Read(TargetSamples), None, PIXEL, 6.0 => func(samples::target_sample_count);
        atomic 78 AtomicBinOp(
            handle: Handle @Resource, atomic_op: I32[AtomicBinOpCode], offset0: I32 @Index, offset1: I32[Undef] @Offset,
            offset2: I32[Undef], new_value: Overload @Value
        ) -> Overload:
            atomicBinOp "li", Write(Atomic), None, ALL, 6.0 => func(atomic::atomic_bin_op);
        atomic 79 AtomicCompareExchange(
            handle: Handle @Resource, offset0: I32 @Index, offset1: I32[Undef] @Offset, offset2: I32[Undef],
            compare_value: Overload @Comparator, new_value: Overload @Value
        ) -> Overload:
            atomicCompareExchange "li", Write(Atomic), None, ALL, 6.0 => func(atomic::atomic_compare_exchange);
        barrier 80 Barrier(barrier_mode: I32[BarrierMode]) -> Void:
            barrier "v", Write, Barrier, ALL, 6.0 => func(barrier::barrier);
        sample 81 CalculateLOD(
            handle: Handle @Resource, sampler: Handle @Sampler, coord0: Overload @Coordinate,
            coord1: Overload[Undef] @Coordinate, coord2: Overload[Undef] @Coordinate, clamped: I1[Imm]
        ) -> F32:
            calculateLOD "f", Read(Properties), Gradient, QUADS, 6.0 => func(sample::calculate_lod);
        pixel 82 Discard(condition: I1) -> Void: discard "v", Demote, None, PIXEL, 6.0 => func(pixel::discard);
        derivative 83 DerivCoarseX(value: Overload) -> Overload:
            unary "hf<hf", Pure, Gradient, QUADS, 6.0 => func(derivative::coarse_x);
        derivative 84 DerivCoarseY(value: Overload) -> Overload:
            unary "hf<hf", Pure, Gradient, QUADS, 6.0 => func(derivative::coarse_y);
        derivative 85 DerivFineX(value: Overload) -> Overload:
            unary "hf<hf", Pure, Gradient, QUADS, 6.0 => func(derivative::fine_x);
        derivative 86 DerivFineY(value: Overload) -> Overload:
            unary "hf<hf", Pure, Gradient, QUADS, 6.0 => func(derivative::fine_y);
        pixel 87 EvalSnapped(
            input_sig_id: I32[Imm] @Element, input_row_index: I32 @Row, input_col_index: I8[Imm] @Column, offset_x: I32,
            offset_y: I32
        ) -> Overload:
            evalSnapped "hf", Pure(Evaluate), None, PIXEL, 6.0 => func(pixel::eval_snapped);
        pixel 88 EvalSampleIndex(
            input_sig_id: I32[Imm] @Element, input_row_index: I32 @Row, input_col_index: I8[Imm] @Column,
            sample_index: I32
        ) -> Overload:
            evalSampleIndex "hf", Pure(Evaluate), None, PIXEL, 6.0 => func(pixel::eval_sample_index);
        pixel 89 EvalCentroid(
            input_sig_id: I32[Imm] @Element, input_row_index: I32 @Row, input_col_index: I8[Imm] @Column
        ) -> Overload:
            evalCentroid "hf", Pure(Evaluate), None, PIXEL, 6.0 => func(pixel::eval_centroid);
        pixel 90 SampleIndex() -> Overload:
            sampleIndex "i", Pure(SampleIndex), None, PIXEL, 6.0 => func(pixel::sample_index);
        pixel 91 Coverage() -> Overload: coverage "i", Pure(Coverage), None, PIXEL, 6.0 => func(pixel::coverage);
        pixel 92 InnerCoverage() -> Overload: innerCoverage "i", Pure, None, PIXEL, 6.0 => func(pixel::inner_coverage);
        compute 93 ThreadId(component: I32) -> Overload:
            threadId "i", Pure, None, GROUPS, 6.0 => func(compute::thread_id);
        compute 94 GroupId(component: I32) -> Overload: groupId "i", Pure, None, GROUPS, 6.0 => builtin(WorkgroupId);
        compute 95 ThreadIdInGroup(component: I32) -> Overload:
            threadIdInGroup "i", Pure, None, GROUPS, 6.0 => func(compute::thread_id_in_group);
        compute 96 FlattenedThreadIdInGroup() -> Overload:
            flattenedThreadIdInGroup "i", Pure, None, GROUPS, 6.0 => func(compute::flattened_thread_id_in_group);
        geometry 97 EmitStream(stream_id: I8[Imm]) -> Void:
            emitStream "v", Write(Emit), None, GEOMETRY, 6.0 => func(geometry::emit_stream);
        geometry 98 CutStream(stream_id: I8[Imm]) -> Void:
            cutStream "v", Write(Emit), None, GEOMETRY, 6.0 => func(geometry::cut_stream);
        geometry 99 EmitThenCutStream(stream_id: I8[Imm]) -> Void:
            emitThenCutStream "v", Write(Emit), None, GEOMETRY, 6.0 => func(geometry::emit_then_cut_stream);
        geometry 100 GSInstanceID() -> Overload: gsInstanceID "i", Pure, None, GEOMETRY, 6.0 => builtin(InvocationId);
        convert 101 MakeDouble(lo: I32, hi: I32) -> Overload:
            makeDouble "d", Pure, None, ALL, 6.0 => func(convert::make_double);
        convert 102 SplitDouble(value: Overload) -> SplitDouble:
            splitDouble "d", Pure, None, ALL, 6.0 => func(convert::split_double);
        tessellation 103 LoadOutputControlPoint(
            input_sig_id: I32[Imm] @Element, row: I32 @Row, col: I8[Imm] @Column, index: I32
        ) -> Overload:
            loadOutputControlPoint "hfwi", Pure(Load Output), None, PATCH, 6.0 => func(tessellation::load_output_control_point);
        tessellation 104 LoadPatchConstant(
            input_sig_id: I32[Imm] @Element, row: I32 @Row, col: I8[Imm] @Column
        ) -> Overload:
            loadPatchConstant "hfwi", Pure(Load Output), None, PATCH, 6.0 => func(tessellation::load_patch_constant);
        tessellation 105 DomainLocation(component: I8OrI32[Imm]) -> Overload:
            domainLocation "f", Pure, None, DOMAIN, 6.0 => func(tessellation::domain_location);
        tessellation 106 StorePatchConstant(
            output_sig_id: I32[Imm] @Element, row: I32 @Row, col: I8[Imm] @Column, value: Overload @Value
        ) -> Void:
            storePatchConstant "hfwi", Write(Store Output), None, HULL, 6.0 => func(tessellation::store_patch_constant);
        tessellation 107 OutputControlPointID() -> Overload:
            outputControlPointID "i", Pure, None, HULL, 6.0 => builtin(InvocationId);
        io 108 PrimitiveID() -> Overload: primitiveID "i", Pure, None, PRIMITIVE, 6.0 => builtin(PrimitiveId);
        compute 109 CycleCounterLegacy() -> TwoI32:
            cycleCounterLegacy "v", Write, None, ALL, 6.0 => func(compute::cycle_counter_legacy);
        wave 110 WaveIsFirstLane() -> I1: waveIsFirstLane "v", Pure, Wave, ALL, 6.0 => func(wave::is_first_lane);
        wave 111 WaveGetLaneIndex() -> I32: waveGetLaneIndex "v", Pure, Wave, ALL, 6.0 => func(wave::lane_index);
        wave 112 WaveGetLaneCount() -> I32: waveGetLaneCount "v", Pure, Wave, ALL, 6.0 => func(wave::lane_count);
        wave 113 WaveAnyTrue(cond: I1) -> I1: waveAnyTrue "v", Pure, Wave, ALL, 6.0 => func(wave::any_true);
        wave 114 WaveAllTrue(cond: I1) -> I1: waveAllTrue "v", Pure, Wave, ALL, 6.0 => func(wave::all_true);
        wave 115 WaveActiveAllEqual(value: Overload) -> OverloadI1:
            waveActiveAllEqual "hfd18wil<hfd18wil", Pure, Wave, ALL, 6.0 => func(wave::active_all_equal);
        wave 116 WaveActiveBallot(cond: I1) -> FourI32:
            waveActiveBallot "v", Pure, Wave, ALL, 6.0 => func(wave::active_ballot);
        wave 117 WaveReadLaneAt(value: Overload, lane: I32 @Lane) -> Overload:
            waveReadLaneAt "hfd18wil<hfd18wil", Pure, Wave, ALL, 6.0 => func(wave::read_lane_at);
        wave 118 WaveReadLaneFirst(value: Overload) -> Overload:
            waveReadLaneFirst "hfd18wil<hfd18wil", Pure, Wave, ALL, 6.0 => func(wave::read_lane_first);
        wave 119 WaveActiveOp(value: Overload, op: I8[WaveOpKind], sop: I8[SignedOpKind]) -> Overload:
            waveActiveOp "hfd18wil<hfd18wil", Pure, Wave, ALL, 6.0 => func(wave::active_op);
        wave 120 WaveActiveBit(value: Overload, op: I8[WaveBitOpKind]) -> Overload:
            waveActiveBit "8wil<8wil", Pure, Wave, ALL, 6.0 => func(wave::active_bit);
        wave 121 WavePrefixOp(value: Overload, op: I8[WaveOpKind], sop: I8[SignedOpKind]) -> Overload:
            wavePrefixOp "hfd8wil<hfd8wil", Pure, Wave, ALL, 6.0 => func(wave::prefix_op);
        quad 122 QuadReadLaneAt(value: Overload, quad_lane: I32 @Lane) -> Overload:
            quadReadLaneAt "hfd18wil<hfd18wil", Pure, Quad, QUADS, 6.0 => func(quad::read_lane_at);
        quad 123 QuadOp(value: Overload, op: I8[QuadOpKind]) -> Overload:
            quadOp "hfd8wil<hfd8wil", Pure, Quad, QUADS, 6.0 => func(quad::quad_op);
        convert 124 BitcastI16toF16(value: I16) -> F16: bitcastI16toF16 "v", Pure, None, ALL, 6.0 => spirv(Bitcast);
        convert 125 BitcastF16toI16(value: F16) -> I16: bitcastF16toI16 "v", Pure, None, ALL, 6.0 => spirv(Bitcast);
        convert 126 BitcastI32toF32(value: I32) -> F32: bitcastI32toF32 "v", Pure, None, ALL, 6.0 => spirv(Bitcast);
        convert 127 BitcastF32toI32(value: F32) -> I32: bitcastF32toI32 "v", Pure, None, ALL, 6.0 => spirv(Bitcast);
        convert 128 BitcastI64toF64(value: I64) -> F64: bitcastI64toF64 "v", Pure, None, ALL, 6.0 => spirv(Bitcast);
        convert 129 BitcastF64toI64(value: F64) -> I64: bitcastF64toI64 "v", Pure, None, ALL, 6.0 => spirv(Bitcast);
        convert 130 LegacyF32ToF16(value: F32) -> I32:
            legacyF32ToF16 "v", Pure, None, ALL, 6.0 => func(convert::legacy_f32_to_f16);
        convert 131 LegacyF16ToF32(value: I32) -> F32:
            legacyF16ToF32 "v", Pure, None, ALL, 6.0 => func(convert::legacy_f16_to_f32);
        convert 132 LegacyDoubleToFloat(value: F64) -> F32:
            legacyDoubleToFloat "v", Pure, None, ALL, 6.0 => spirv(FConvert);
        convert 133 LegacyDoubleToSInt32(value: F64) -> I32:
            legacyDoubleToSInt32 "v", Pure, None, ALL, 6.0 => func(convert::double_to_i32);
        convert 134 LegacyDoubleToUInt32(value: F64) -> I32:
            legacyDoubleToUInt32 "v", Pure, None, ALL, 6.0 => func(convert::double_to_u32);
        wave 135 WaveAllBitCount(value: I1) -> I32: waveAllOp "v", Pure, Wave, ALL, 6.0 => func(wave::all_bit_count);
        wave 136 WavePrefixBitCount(value: I1) -> I32:
            wavePrefixOp "v", Pure, Wave, ALL, 6.0 => func(wave::prefix_bit_count);
        pixel 137 AttributeAtVertex(
            input_sig_id: I32[Imm] @Element, input_row_index: I32 @Row, input_col_index: I8[Imm] @Column,
            vertex_id: I8 @Vertex
        ) -> Overload:
            attributeAtVertex "hfiw", Pure(Load Input), None, PIXEL, 6.1 => func(io::attribute_at_vertex);
        io 138 ViewID() -> Overload: viewID "i", Pure, None, GRAPHICS, 6.1 => func(views::view_id);
        buffer 139 RawBufferLoad(
            srv: Handle @Resource, index: I32 @Index, element_offset: I32[Undef] @Offset, mask: I8[ComponentMask] @Mask,
            alignment: I32[Imm]
        ) -> ResRet:
            rawBufferLoad "hfwidl", Read(Load Words), None, ALL, 6.2 => func(buffer::raw_load);
        buffer 140 RawBufferStore(
            uav: Handle @Resource, index: I32 @Index, element_offset: I32[Undef] @Offset, value0: Overload @Value,
            value1: Overload[Undef] @Value, value2: Overload[Undef] @Value, value3: Overload[Undef] @Value,
            mask: I8[ComponentMask] @Mask, alignment: I32[Imm]
        ) -> Void:
            rawBufferStore "hfwidl", Write(Store Words), None, ALL, 6.2 => func(buffer::raw_store);
        ray_tracing 141 InstanceID() -> Overload:
            instanceID "i", Pure, None, HITS, 6.3 => builtin(InstanceCustomIndexKHR);
        ray_tracing 142 InstanceIndex() -> Overload: instanceIndex "i", Pure, None, HITS, 6.3 => builtin(InstanceId);
        ray_tracing 143 HitKind() -> Overload: hitKind "i", Pure, None, HITS, 6.3 => builtin(HitKindKHR);
        ray_tracing 144 RayFlags() -> Overload:
            rayFlags "i", Pure, None, HITS_AND_MISS, 6.3 => builtin(IncomingRayFlagsKHR);
        ray_tracing 145 DispatchRaysIndex(col: I8) -> Overload:
            dispatchRaysIndex "i", Pure, None, RAYS, 6.3 => builtin(LaunchIdKHR);
        ray_tracing 146 DispatchRaysDimensions(col: I8) -> Overload:
            dispatchRaysDimensions "i", Pure, None, RAYS, 6.3 => builtin(LaunchSizeKHR);
        ray_tracing 147 WorldRayOrigin(col: I8) -> Overload:
            worldRayOrigin "f", Pure, None, HITS_AND_MISS, 6.3 => func(ray::world_origin);
        ray_tracing 148 WorldRayDirection(col: I8) -> Overload:
            worldRayDirection "f", Pure, None, HITS_AND_MISS, 6.3 => func(ray::world_direction);
        ray_tracing 149 ObjectRayOrigin(col: I8) -> Overload:
            objectRayOrigin "f", Pure, None, HITS, 6.3 => func(ray::object_origin);
        ray_tracing 150 ObjectRayDirection(col: I8) -> Overload:
            objectRayDirection "f", Pure, None, HITS, 6.3 => func(ray::object_direction);
        ray_tracing 151 ObjectToWorld(row: I32, col: I8) -> Overload:
            objectToWorld "f", Pure, None, HITS, 6.3 => func(ray::object_to_world);
        ray_tracing 152 WorldToObject(row: I32, col: I8) -> Overload:
            worldToObject "f", Pure, None, HITS, 6.3 => func(ray::world_to_object);
        ray_tracing 153 RayTMin() -> Overload: rayTMin "f", Pure, None, HITS_AND_MISS, 6.3 => func(ray::t_min);
        ray_tracing 154 RayTCurrent() -> Overload:
            rayTCurrent "f", Read, None, HITS_AND_MISS, 6.3 => func(ray::t_current);
        ray_tracing 155 IgnoreHit() -> Void: ignoreHit "v", End, None, ANY_HIT, 6.3 => func(calls::end_hit);
        ray_tracing 156 AcceptHitAndEndSearch() -> Void:
            acceptHitAndEndSearch "v", End, None, ANY_HIT, 6.3 => func(calls::end_hit);
        ray_tracing 157 TraceRay(
            acceleration_structure: Handle @AccelerationStructure, ray_flags: I32, instance_inclusion_mask: I32,
            ray_contribution_to_hit_group_index: I32, multiplier_for_geometry_contribution_to_shader_index: I32,
            miss_shader_index: I32, origin_x: F32, origin_y: F32, origin_z: F32, t_min: F32, direction_x: F32,
            direction_y: F32, direction_z: F32, t_max: F32, payload: UserPtr @Payload
        ) -> Void:
            traceRay "u", Write(Trace), None, TRACERS, 6.3 => func(calls::trace_ray);
        ray_tracing 158 ReportHit(t_hit: F32, hit_kind: I32, attributes: UserPtr @Attributes) -> I1:
            reportHit "u", Write, None, INTERSECTION, 6.3 => func(calls::report_hit);
        ray_tracing 159 CallShader(shader_index: I32, parameter: UserPtr @Parameter) -> Void:
            callShader "u", Write, None, CALLERS, 6.3 => func(calls::call_shader);
        handle 160 CreateHandleForLib(resource: Object) -> Handle:
            createHandleForLib "o", Read(Handle), None, ALL, 6.3 => func(handle::deferred);
        ray_tracing 161 PrimitiveIndex() -> Overload: primitiveIndex "i", Pure, None, HITS, 6.3 => builtin(PrimitiveId);
        arith 162 Dot2AddHalf(acc: Overload, ax: F16, ay: F16, bx: F16, by: F16) -> Overload:
            dot2AddHalf "f", Pure, None, ALL, 6.4 => func(arith::dot2_add_half);
        arith 163 Dot4AddI8Packed(acc: Overload, a: I32, b: I32) -> Overload:
            dot4AddPacked "i", Pure, None, ALL, 6.4 => func(arith::dot4_add_i8);
        arith 164 Dot4AddU8Packed(acc: Overload, a: I32, b: I32) -> Overload:
            dot4AddPacked "i", Pure, None, ALL, 6.4 => func(arith::dot4_add_u8);
        wave 165 WaveMatch(value: Overload) -> FourI32:
            waveMatch "hfd8wil<hfd8wil", Pure, Wave, ALL, 6.5 => func(wave::wave_match);
        wave 166 WaveMultiPrefixOp(
            value: Overload, mask0: I32, mask1: I32, mask2: I32, mask3: I32, op: I8[WaveMultiPrefixOpKind],
            sop: I8[SignedOpKind]
        ) -> Overload:
            waveMultiPrefixOp "hfd8wil<hfd8wil", Pure, Wave, ALL, 6.5 => func(wave::multi_prefix_op);
        wave 167 WaveMultiPrefixBitCount(value: I1, mask0: I32, mask1: I32, mask2: I32, mask3: I32) -> I32:
            waveMultiPrefixBitCount "v", Pure, Wave, ALL, 6.5 => func(wave::multi_prefix_bit_count);
        mesh 168 SetMeshOutputCounts(num_vertices: I32, num_primitives: I32) -> Void:
            setMeshOutputCounts "v", Write, None, MESH, 6.5 => func(mesh::set_mesh_output_counts);
        mesh 169 EmitIndices(
            primitive_index: I32, vertex_index0: I32, vertex_index1: I32, vertex_index2: I32[Undef]
        ) -> Void:
            emitIndices "v", Write, None, MESH, 6.5 => func(mesh::emit_indices);
        mesh 170 GetMeshPayload() -> Overload:
            getMeshPayload "u", Read(Payload), None, MESH, 6.5 => func(mesh_payload::get_mesh_payload);
        mesh 171 StoreVertexOutput(
            output_sig_id: I32[Imm] @Element, row_index: I32 @Row, col_index: I8[Imm] @Column, value: Overload @Value,
            vertex_index: I32 @Vertex
        ) -> Void:
            storeVertexOutput "hfwi", Write(Store Output), None, MESH, 6.5 => func(mesh::store_vertex_output);
        mesh 172 StorePrimitiveOutput(
            output_sig_id: I32[Imm] @Element, row_index: I32 @Row, col_index: I8[Imm] @Column, value: Overload @Value,
            primitive_index: I32 @Primitive
        ) -> Void:
            storePrimitiveOutput "hfwi", Write(Store Output), None, MESH, 6.5 => func(mesh::store_primitive_output);
        mesh 173 DispatchMesh(
            thread_group_count_x: I32, thread_group_count_y: I32, thread_group_count_z: I32,
            payload: Overload @MeshPayload
        ) -> Void:
            dispatchMesh "u", Write, None, AMPLIFICATION, 6.5 => func(amplification::dispatch_mesh);
        feedback 174 WriteSamplerFeedback(
            feedback_tex: Handle @Resource, sampled_tex: Handle @Resource, sampler: Handle @Sampler,
            c0: F32 @Coordinate, c1: F32[Undef] @Coordinate, c2: F32[Undef] @Coordinate, c3: F32[Undef] @Coordinate,
            clamp: F32[Undef]
        ) -> Void:
            writeSamplerFeedback "v", Write(Feedback), Gradient, FEEDBACK, 6.5 => refused(NO_FEEDBACK);
        feedback 175 WriteSamplerFeedbackBias(
            feedback_tex: Handle @Resource, sampled_tex: Handle @Resource, sampler: Handle @Sampler,
            c0: F32 @Coordinate, c1: F32[Undef] @Coordinate, c2: F32[Undef] @Coordinate, c3: F32[Undef] @Coordinate,
            bias: F32, clamp: F32[Undef]
        ) -> Void:
            writeSamplerFeedbackBias "v", Write(Feedback), Gradient, FEEDBACK, 6.5 => refused(NO_FEEDBACK);
        feedback 176 WriteSamplerFeedbackLevel(
            feedback_tex: Handle @Resource, sampled_tex: Handle @Resource, sampler: Handle @Sampler,
            c0: F32 @Coordinate, c1: F32[Undef] @Coordinate, c2: F32[Undef] @Coordinate, c3: F32[Undef] @Coordinate,
            lod: F32 @Level
        ) -> Void:
            writeSamplerFeedbackLevel "v", Write(Feedback), None, ALL, 6.5 => refused(NO_FEEDBACK);
        feedback 177 WriteSamplerFeedbackGrad(
            feedback_tex: Handle @Resource, sampled_tex: Handle @Resource, sampler: Handle @Sampler,
            c0: F32 @Coordinate, c1: F32[Undef] @Coordinate, c2: F32[Undef] @Coordinate, c3: F32[Undef] @Coordinate,
            ddx0: F32, ddx1: F32[Undef], ddx2: F32[Undef], ddy0: F32, ddy1: F32[Undef], ddy2: F32[Undef],
            clamp: F32[Undef]
        ) -> Void:
            writeSamplerFeedbackGrad "v", Write(Feedback), None, ALL, 6.5 => refused(NO_FEEDBACK);
        ray_query 178 AllocateRayQuery(const_ray_flags: I32[Imm] @RayFlags) -> I32:
            allocateRayQuery "v", Write(AllocateQuery), None, ALL, 6.5 => func(query::allocate);
        ray_query 179 RayQuery_TraceRayInline(
            ray_query_handle: I32 @RayQuery, acceleration_structure: Handle @AccelerationStructure, ray_flags: I32,
            instance_inclusion_mask: I32, origin_x: F32, origin_y: F32, origin_z: F32, t_min: F32, direction_x: F32,
            direction_y: F32, direction_z: F32, t_max: F32
        ) -> Void:
            rayQuery_TraceRayInline "v", Write(Trace), None, ALL, 6.5 => func(query::trace);
        ray_query 180 RayQuery_Proceed(ray_query_handle: I32 @RayQuery) -> Overload:
            rayQuery_Proceed "1", Write(RayQuery Searching), None, ALL, 6.5 => func(query::proceed);
        ray_query 181 RayQuery_Abort(ray_query_handle: I32 @RayQuery) -> Void:
            rayQuery_Abort "v", Write(RayQuery Searching), None, ALL, 6.5 => func(query::abort);
        ray_query 182 RayQuery_CommitNonOpaqueTriangleHit(ray_query_handle: I32 @RayQuery) -> Void:
            rayQuery_CommitNonOpaqueTriangleHit "v", Write(RayQuery Candidate), None, ALL, 6.5 => func(query::commit_triangle);
        ray_query 183 RayQuery_CommitProceduralPrimitiveHit(ray_query_handle: I32 @RayQuery, t: F32) -> Void:
            rayQuery_CommitProceduralPrimitiveHit "v", Write(RayQuery Candidate), None, ALL, 6.5 => func(query::commit_procedural);
        ray_query 184 RayQuery_CommittedStatus(ray_query_handle: I32 @RayQuery) -> Overload:
            rayQuery_StateScalar "i", Read(RayQuery Traced), None, ALL, 6.5 => func(state::scalar);
        ray_query 185 RayQuery_CandidateType(ray_query_handle: I32 @RayQuery) -> Overload:
            rayQuery_StateScalar "i", Read(RayQuery Candidate), None, ALL, 6.5 => func(state::scalar);
        ray_query 186 RayQuery_CandidateObjectToWorld3x4(
            ray_query_handle: I32 @RayQuery, row: I32, col: I8
        ) -> Overload:
            rayQuery_StateMatrix "f", Read(RayQuery Candidate), None, ALL, 6.5 => func(state::candidate_to_world);
        ray_query 187 RayQuery_CandidateWorldToObject3x4(
            ray_query_handle: I32 @RayQuery, row: I32, col: I8
        ) -> Overload:
            rayQuery_StateMatrix "f", Read(RayQuery Candidate), None, ALL, 6.5 => func(state::candidate_to_object);
        ray_query 188 RayQuery_CommittedObjectToWorld3x4(
            ray_query_handle: I32 @RayQuery, row: I32, col: I8
        ) -> Overload:
            rayQuery_StateMatrix "f", Read(RayQuery Hit), None, ALL, 6.5 => func(state::committed_to_world);
        ray_query 189 RayQuery_CommittedWorldToObject3x4(
            ray_query_handle: I32 @RayQuery, row: I32, col: I8
        ) -> Overload:
            rayQuery_StateMatrix "f", Read(RayQuery Hit), None, ALL, 6.5 => func(state::committed_to_object);
        ray_query 190 RayQuery_CandidateProceduralPrimitiveNonOpaque(ray_query_handle: I32 @RayQuery) -> Overload:
            rayQuery_StateScalar "1", Read(RayQuery Candidate), None, ALL, 6.5 => func(state::non_opaque);
        ray_query 191 RayQuery_CandidateTriangleFrontFace(ray_query_handle: I32 @RayQuery) -> Overload:
            rayQuery_StateScalar "1", Read(RayQuery Candidate), None, ALL, 6.5 => func(state::scalar);
        ray_query 192 RayQuery_CommittedTriangleFrontFace(ray_query_handle: I32 @RayQuery) -> Overload:
            rayQuery_StateScalar "1", Read(RayQuery Hit), None, ALL, 6.5 => func(state::scalar);
        ray_query 193 RayQuery_CandidateTriangleBarycentrics(
            ray_query_handle: I32 @RayQuery, component: I8[Imm]
        ) -> Overload:
            rayQuery_StateVector "f", Read(RayQuery Candidate), None, ALL, 6.5 => func(state::candidate_barycentrics);
        ray_query 194 RayQuery_CommittedTriangleBarycentrics(
            ray_query_handle: I32 @RayQuery, component: I8[Imm]
        ) -> Overload:
            rayQuery_StateVector "f", Read(RayQuery Hit), None, ALL, 6.5 => func(state::committed_barycentrics);
        ray_query 195 RayQuery_RayFlags(ray_query_handle: I32 @RayQuery) -> Overload:
            rayQuery_StateScalar "i", Read(RayQuery Traced), None, ALL, 6.5 => func(state::scalar);
        ray_query 196 RayQuery_WorldRayOrigin(ray_query_handle: I32 @RayQuery, component: I8[Imm]) -> Overload:
            rayQuery_StateVector "f", Read(RayQuery Traced), None, ALL, 6.5 => func(state::world_origin);
        ray_query 197 RayQuery_WorldRayDirection(ray_query_handle: I32 @RayQuery, component: I8[Imm]) -> Overload:
            rayQuery_StateVector "f", Read(RayQuery Traced), None, ALL, 6.5 => func(state::world_direction);
        ray_query 198 RayQuery_RayTMin(ray_query_handle: I32 @RayQuery) -> Overload:
            rayQuery_StateScalar "f", Read(RayQuery Traced), None, ALL, 6.5 => func(state::scalar);
        ray_query 199 RayQuery_CandidateTriangleRayT(ray_query_handle: I32 @RayQuery) -> Overload:
            rayQuery_StateScalar "f", Read(RayQuery Candidate), None, ALL, 6.5 => func(state::scalar);
        ray_query 200 RayQuery_CommittedRayT(ray_query_handle: I32 @RayQuery) -> Overload:
            rayQuery_StateScalar "f", Read(RayQuery Hit), None, ALL, 6.5 => func(state::scalar);
        ray_query 201 RayQuery_CandidateInstanceIndex(ray_query_handle: I32 @RayQuery) -> Overload:
            rayQuery_StateScalar "i", Read(RayQuery Candidate), None, ALL, 6.5 => func(state::scalar);
        ray_query 202 RayQuery_CandidateInstanceID(ray_query_handle: I32 @RayQuery) -> Overload:
            rayQuery_StateScalar "i", Read(RayQuery Candidate), None, ALL, 6.5 => func(state::scalar);
        ray_query 203 RayQuery_CandidateGeometryIndex(ray_query_handle: I32 @RayQuery) -> Overload:
            rayQuery_StateScalar "i", Read(RayQuery Candidate), None, ALL, 6.5 => func(state::scalar);
        ray_query 204 RayQuery_CandidatePrimitiveIndex(ray_query_handle: I32 @RayQuery) -> Overload:
            rayQuery_StateScalar "i", Read(RayQuery Candidate), None, ALL, 6.5 => func(state::scalar);
        ray_query 205 RayQuery_CandidateObjectRayOrigin(
            ray_query_handle: I32 @RayQuery, component: I8[Imm]
        ) -> Overload:
            rayQuery_StateVector "f", Read(RayQuery Candidate), None, ALL, 6.5 => func(state::candidate_origin);
        ray_query 206 RayQuery_CandidateObjectRayDirection(
            ray_query_handle: I32 @RayQuery, component: I8[Imm]
        ) -> Overload:
            rayQuery_StateVector "f", Read(RayQuery Candidate), None, ALL, 6.5 => func(state::candidate_direction);
        ray_query 207 RayQuery_CommittedInstanceIndex(ray_query_handle: I32 @RayQuery) -> Overload:
            rayQuery_StateScalar "i", Read(RayQuery Hit), None, ALL, 6.5 => func(state::scalar);
        ray_query 208 RayQuery_CommittedInstanceID(ray_query_handle: I32 @RayQuery) -> Overload:
            rayQuery_StateScalar "i", Read(RayQuery Hit), None, ALL, 6.5 => func(state::scalar);
        ray_query 209 RayQuery_CommittedGeometryIndex(ray_query_handle: I32 @RayQuery) -> Overload:
            rayQuery_StateScalar "i", Read(RayQuery Hit), None, ALL, 6.5 => func(state::scalar);
        ray_query 210 RayQuery_CommittedPrimitiveIndex(ray_query_handle: I32 @RayQuery) -> Overload:
            rayQuery_StateScalar "i", Read(RayQuery Hit), None, ALL, 6.5 => func(state::scalar);
        ray_query 211 RayQuery_CommittedObjectRayOrigin(
            ray_query_handle: I32 @RayQuery, component: I8[Imm]
        ) -> Overload:
            rayQuery_StateVector "f", Read(RayQuery Hit), None, ALL, 6.5 => func(state::committed_origin);
        ray_query 212 RayQuery_CommittedObjectRayDirection(
            ray_query_handle: I32 @RayQuery, component: I8[Imm]
        ) -> Overload:
            rayQuery_StateVector "f", Read(RayQuery Hit), None, ALL, 6.5 => func(state::committed_direction);
        ray_tracing 213 GeometryIndex() -> Overload:
            geometryIndex "i", Pure, None, HITS, 6.5 => builtin(RayGeometryIndexKHR);
        ray_query 214 RayQuery_CandidateInstanceContributionToHitGroupIndex(
            ray_query_handle: I32 @RayQuery
        ) -> Overload:
            rayQuery_StateScalar "i", Read(RayQuery Candidate), None, ALL, 6.5 => func(state::scalar);
        ray_query 215 RayQuery_CommittedInstanceContributionToHitGroupIndex(
            ray_query_handle: I32 @RayQuery
        ) -> Overload:
            rayQuery_StateScalar "i", Read(RayQuery Hit), None, ALL, 6.5 => func(state::scalar);
        handle 216 AnnotateHandle(res: Handle @Resource, props: ResProps[Imm]) -> Handle:
            annotateHandle "v", Pure(Handle), None, ALL, 6.6 => func(handle::deferred);
        handle 217 CreateHandleFromBinding(bind: ResBind[Imm], index: I32, non_uniform_index: I1[Imm]) -> Handle:
            createHandleFromBinding "v", Pure(Handle), None, ALL, 6.6 => func(handle::deferred);
        heap 218 CreateHandleFromHeap(index: I32, sampler_heap: I1[Imm], non_uniform_index: I1[Imm]) -> Handle:
            createHandleFromHeap "v", Pure(Handle), None, ALL, 6.6 => func(handle::deferred);
        bits 219 Unpack4x8(unpack_mode: I8[UnpackMode], pk: I32) -> Vec4:
            unpack4x8 "iw", Pure, None, ALL, 6.6 => func(bits::unpack4x8);
        bits 220 Pack4x8(pack_mode: I8[PackMode], x: Overload, y: Overload, z: Overload, w: Overload) -> I32:
            pack4x8 "iw", Pure, None, ALL, 6.6 => func(bits::pack4x8);
        pixel 221 IsHelperLane() -> Overload: isHelperLane "1", Read, None, ALL, 6.6 => func(pixel::is_helper_lane);
        quad 222 QuadVote(cond: I1, op: I8[QuadVoteOpKind]) -> OverloadI1:
            quadVote "1", Pure, Quad, QUADS, 6.7 => func(quad::vote);
        sample 223 TextureGatherRaw(
            srv: Handle @Resource, sampler: Handle @Sampler, coord0: F32 @Coordinate, coord1: F32[Undef] @Coordinate,
            coord2: F32[Undef] @Coordinate, coord3: F32[Undef] @Coordinate, offset0: I32[Undef] @TexelOffset,
            offset1: I32[Undef] @TexelOffset
        ) -> ResRet:
            textureGatherRaw "wil", Read(Sample), None, ALL, 6.7 => func(gather::gather_raw);
        sample 224 SampleCmpLevel(
            srv: Handle @Resource, sampler: Handle @Sampler, coord0: F32 @Coordinate, coord1: F32[Undef] @Coordinate,
            coord2: F32[Undef] @Coordinate, coord3: F32[Undef] @Coordinate, offset0: I32[Undef] @TexelOffset,
            offset1: I32[Undef] @TexelOffset, offset2: I32[Undef] @TexelOffset, compare_value: F32 @Reference,
            lod: F32 @Level
        ) -> ResRet:
            sampleCmpLevel "hf", Read(Sample), None, ALL, 6.7 => func(sample::sample_cmp_level);
        texture 225 TextureStoreSample(
            srv: Handle @Resource, coord0: I32 @Coordinate, coord1: I32[Undef] @Coordinate,
            coord2: I32[Undef] @Coordinate, value0: Overload @Value, value1: Overload[Undef] @Value,
            value2: Overload[Undef] @Value, value3: Overload[Undef] @Value, mask: I8[ComponentMask] @Mask,
            sample_idx: I32
        ) -> Void:
            textureStoreSample "hfwi", Write(Store Texels), None, ALL, 6.7 => func(texture::store_sample);
        work_graph 238 AllocateNodeOutputRecords(
            output: NodeHandle, num_records: I32, per_thread: I1[Imm]
        ) -> NodeRecordHandle:
            allocateNodeOutputRecords "v", Write, None, NODE, 6.8 => todo;
        work_graph 239 GetNodeRecordPtr(record_handle: NodeRecordHandle, array_index: I32) -> Overload:
            getNodeRecordPtr "u", Pure, None, NODE, 6.8 => todo;
        work_graph 240 IncrementOutputCount(output: NodeHandle, count: I32, per_thread: I1[Imm]) -> Void:
            incrementOutputCount "v", Write, None, NODE, 6.8 => todo;
        work_graph 241 OutputComplete(output: NodeRecordHandle) -> Void:
            outputComplete "v", Write, None, NODE, 6.8 => todo;
        work_graph 242 GetInputRecordCount(input: NodeRecordHandle) -> I32:
            getInputRecordCount "v", Read, None, NODE, 6.8 => todo;
        work_graph 243 FinishedCrossGroupSharing(input: NodeRecordHandle) -> I1:
            finishedCrossGroupSharing "v", Write, None, NODE, 6.8 => todo;
        barrier 244 BarrierByMemoryType(
            memory_type_flags: I32[MemoryTypeFlags], semantic_flags: I32[BarrierSemanticFlags]
        ) -> Void:
            barrierByMemoryType "v", Write, Barrier, ALL, 6.8 => func(barrier::by_memory_type);
        barrier 245 BarrierByMemoryHandle(object: Handle @Resource, semantic_flags: I32[BarrierSemanticFlags]) -> Void:
            barrierByMemoryHandle "v", Write, Barrier, ALL, 6.8 => func(barrier::by_memory_handle);
        barrier 246 BarrierByNodeRecordHandle(
            object: NodeRecordHandle, semantic_flags: I32[BarrierSemanticFlags]
        ) -> Void:
            barrierByNodeRecordHandle "v", Write, Barrier, NODE, 6.8 => todo;
        work_graph 247 CreateNodeOutputHandle(metadata_idx: I32[Imm]) -> NodeHandle:
            createNodeOutputHandle "v", Pure, None, NODE, 6.8 => todo;
        work_graph 248 IndexNodeHandle(node_output_handle: NodeHandle, array_index: I32) -> NodeHandle:
            indexNodeHandle "v", Pure, None, NODE, 6.8 => todo;
        work_graph 249 AnnotateNodeHandle(node: NodeHandle, props: NodeProps[Imm]) -> NodeHandle:
            annotateNodeHandle "v", Pure, None, NODE, 6.8 => todo;
        work_graph 250 CreateNodeInputRecordHandle(metadata_idx: I32[Imm]) -> NodeRecordHandle:
            createNodeInputRecordHandle "v", Pure, None, NODE, 6.8 => todo;
        work_graph 251 AnnotateNodeRecordHandle(
            node_record: NodeRecordHandle, props: NodeRecordProps[Imm]
        ) -> NodeRecordHandle:
            annotateNodeRecordHandle "v", Pure, None, NODE, 6.8 => todo;
        work_graph 252 NodeOutputIsValid(output: NodeHandle) -> I1:
            nodeOutputIsValid "v", Read, None, NODE, 6.8 => todo;
        work_graph 253 GetRemainingRecursionLevels() -> I32:
            getRemainingRecursionLevels "v", Read, None, NODE, 6.8 => todo;
        sample 254 SampleCmpGrad(
            srv: Handle @Resource, sampler: Handle @Sampler, coord0: F32 @Coordinate, coord1: F32[Undef] @Coordinate,
            coord2: F32[Undef] @Coordinate, coord3: F32[Undef] @Coordinate, offset0: I32[Undef] @TexelOffset,
            offset1: I32[Undef] @TexelOffset, offset2: I32[Undef] @TexelOffset, compare_value: F32 @Reference,
            ddx0: F32, ddx1: F32[Undef], ddx2: F32[Undef], ddy0: F32, ddy1: F32[Undef], ddy2: F32[Undef],
            clamp: F32[Undef]
        ) -> ResRet:
            sampleCmpGrad "hf", Read(Sample), None, ALL, 6.8 => func(sample::sample_cmp_grad);
        sample 255 SampleCmpBias(
            srv: Handle @Resource, sampler: Handle @Sampler, coord0: F32 @Coordinate, coord1: F32[Undef] @Coordinate,
            coord2: F32[Undef] @Coordinate, coord3: F32[Undef] @Coordinate, offset0: I32[Undef] @TexelOffset,
            offset1: I32[Undef] @TexelOffset, offset2: I32[Undef] @TexelOffset, compare_value: F32 @Reference,
            bias: F32, clamp: F32[Undef]
        ) -> ResRet:
            sampleCmpBias "hf", Read(Sample), Gradient, QUADS, 6.8 => func(sample::sample_cmp_bias);
        io 256 StartVertexLocation() -> Overload:
            startVertexLocation "i", Pure, None, VERTEX, 6.8 => func(system::start_vertex);
        io 257 StartInstanceLocation() -> Overload:
            startInstanceLocation "i", Pure, None, VERTEX, 6.8 => func(system::start_instance);
        ray_query 258 AllocateRayQuery2(const_ray_flags: I32[Imm] @RayFlags, const_ray_query_flags: I32[Imm] @QueryFlags) -> I32:
            allocateRayQuery2 "v", Write(AllocateQuery), None, ALL, 6.9 => func(query::allocate);
        hit_object 262 HitObject_TraceRay(
            acceleration_structure: Handle @AccelerationStructure, ray_flags: I32, instance_inclusion_mask: I32,
            ray_contribution_to_hit_group_index: I32, multiplier_for_geometry_contribution_to_hit_group_index: I32,
            miss_shader_index: I32, origin_x: F32, origin_y: F32, origin_z: F32, t_min: F32, direction_x: F32,
            direction_y: F32, direction_z: F32, t_max: F32, payload: UserPtr @Payload
        ) -> HitObject:
            hitObject_TraceRay "u", Write(Trace), None, TRACERS, 6.9 => func(hit::trace);
        hit_object 263 HitObject_FromRayQuery(ray_query_handle: I32 @RayQuery) -> HitObject:
            hitObject_FromRayQuery "v", Read(RayQuery Hit), None, TRACERS, 6.9 => func(hit::from_query);
        hit_object 264 HitObject_FromRayQueryWithAttrs(
            ray_query_handle: I32 @RayQuery, hit_kind: I32, committed_attribs: UserPtr @Attributes
        ) -> HitObject:
            hitObject_FromRayQueryWithAttrs "u", Read(RayQuery Hit), None, TRACERS, 6.9 => func(hit::from_query_with_attributes);
        hit_object 265 HitObject_MakeMiss(
            ray_flags: I32, miss_shader_index: I32, origin_x: F32, origin_y: F32, origin_z: F32, t_min: F32,
            direction_x: F32, direction_y: F32, direction_z: F32, t_max: F32
        ) -> HitObject:
            hitObject_MakeMiss "v", Pure, None, TRACERS, 6.9 => func(hit::miss);
        hit_object 266 HitObject_MakeNop() -> HitObject: hitObject_MakeNop "v", Pure, None, TRACERS, 6.9 => func(hit::nop);
        hit_object 267 HitObject_Invoke(hit_object: HitObject, payload: UserPtr @Payload) -> Void:
            hitObject_Invoke "u", Write, None, TRACERS, 6.9 => func(hit::invoke);
        hit_object 268 MaybeReorderThread(
            hit_object: HitObject, coherence_hint: I32, num_coherence_hint_bits_from_lsb: I32
        ) -> Void:
            maybeReorderThread "v", Write, None, RAY_GENERATION, 6.9 => func(hit::reorder);
        hit_object 269 HitObject_IsMiss(hit_object: HitObject) -> Overload:
            hitObject_StateScalar "1", Pure, None, TRACERS, 6.9 => func(hit::scalar);
        hit_object 270 HitObject_IsHit(hit_object: HitObject) -> Overload:
            hitObject_StateScalar "1", Pure, None, TRACERS, 6.9 => func(hit::scalar);
        hit_object 271 HitObject_IsNop(hit_object: HitObject) -> Overload:
            hitObject_StateScalar "1", Pure, None, TRACERS, 6.9 => func(hit::scalar);
        hit_object 272 HitObject_RayFlags(hit_object: HitObject) -> Overload:
            hitObject_StateScalar "i", Pure, None, TRACERS, 6.9 => func(hit::ray_flags);
        hit_object 273 HitObject_RayTMin(hit_object: HitObject) -> Overload:
            hitObject_StateScalar "f", Pure, None, TRACERS, 6.9 => func(hit::scalar);
        hit_object 274 HitObject_RayTCurrent(hit_object: HitObject) -> Overload:
            hitObject_StateScalar "f", Pure, None, TRACERS, 6.9 => func(hit::scalar);
        hit_object 275 HitObject_WorldRayOrigin(hit_object: HitObject, component: I32[Imm]) -> Overload:
            hitObject_StateVector "f", Pure, None, TRACERS, 6.9 => func(hit::world_origin);
        hit_object 276 HitObject_WorldRayDirection(hit_object: HitObject, component: I32[Imm]) -> Overload:
            hitObject_StateVector "f", Pure, None, TRACERS, 6.9 => func(hit::world_direction);
        hit_object 277 HitObject_ObjectRayOrigin(hit_object: HitObject, component: I32[Imm]) -> Overload:
            hitObject_StateVector "f", Pure, None, TRACERS, 6.9 => func(hit::object_origin);
        hit_object 278 HitObject_ObjectRayDirection(hit_object: HitObject, component: I32[Imm]) -> Overload:
            hitObject_StateVector "f", Pure, None, TRACERS, 6.9 => func(hit::object_direction);
        hit_object 279 HitObject_ObjectToWorld3x4(hit_object: HitObject, row: I32[Imm], col: I32[Imm]) -> Overload:
            hitObject_StateMatrix "f", Pure, None, TRACERS, 6.9 => func(hit::object_to_world);
        hit_object 280 HitObject_WorldToObject3x4(hit_object: HitObject, row: I32[Imm], col: I32[Imm]) -> Overload:
            hitObject_StateMatrix "f", Pure, None, TRACERS, 6.9 => func(hit::world_to_object);
        hit_object 281 HitObject_GeometryIndex(hit_object: HitObject) -> Overload:
            hitObject_StateScalar "i", Pure, None, TRACERS, 6.9 => func(hit::scalar);
        hit_object 282 HitObject_InstanceIndex(hit_object: HitObject) -> Overload:
            hitObject_StateScalar "i", Pure, None, TRACERS, 6.9 => func(hit::scalar);
        hit_object 283 HitObject_InstanceID(hit_object: HitObject) -> Overload:
            hitObject_StateScalar "i", Pure, None, TRACERS, 6.9 => func(hit::scalar);
        hit_object 284 HitObject_PrimitiveIndex(hit_object: HitObject) -> Overload:
            hitObject_StateScalar "i", Pure, None, TRACERS, 6.9 => func(hit::scalar);
        hit_object 285 HitObject_HitKind(hit_object: HitObject) -> Overload:
            hitObject_StateScalar "i", Pure, None, TRACERS, 6.9 => func(hit::scalar);
        hit_object 286 HitObject_ShaderTableIndex(hit_object: HitObject) -> Overload:
            hitObject_StateScalar "i", Pure, None, TRACERS, 6.9 => func(hit::scalar);
        hit_object 287 HitObject_SetShaderTableIndex(hit_object: HitObject, shader_table_index: I32) -> HitObject:
            hitObject_SetShaderTableIndex "v", Pure, None, TRACERS, 6.9 => func(hit::set_record);
        hit_object 288 HitObject_LoadLocalRootTableConstant(hit_object: HitObject, offset: I32) -> I32:
            hitObject_LoadLocalRootTableConstant "v", Read, None, TRACERS, 6.9 => func(hit::record_word);
        hit_object 289 HitObject_Attributes(hit_object: HitObject, attributes: UserPtr @Attributes) -> Void:
            hitObject_Attributes "u", Write, None, TRACERS, 6.9 => func(hit::attributes);
        buffer 303 RawBufferVectorLoad(
            buf: Handle @Resource, index: I32 @Index, element_offset: I32[Undef] @Offset, alignment: I32[Imm]
        ) -> ResRet:
            rawBufferVectorLoad "hfwidl<hfwidl", Read(Load Words), None, ALL, 6.9 => pass(vectors);
        buffer 304 RawBufferVectorStore(
            uav: Handle @Resource, index: I32 @Index, element_offset: I32[Undef] @Offset, value0: Overload @Value,
            alignment: I32[Imm]
        ) -> Void:
            rawBufferVectorStore "hfwidl<hfwidl", Write(Store Words), None, ALL, 6.9 => pass(vectors);
        vector 309 VectorReduceAnd(a: Overload) -> Element: vectorReduce "<18wil", Pure, None, ALL, 6.9 => pass(vectors);
        vector 310 VectorReduceOr(a: Overload) -> Element: vectorReduce "<18wil", Pure, None, ALL, 6.9 => pass(vectors);
        vector 311 FDot(a: Overload, b: Overload) -> Element: dot "<hf", Pure, None, ALL, 6.9 => pass(vectors);
        vendor 315 VendorDrawIndex() -> I32: vendor "v", Pure, None, VERTEX, 6.0 => func(system::draw_index);
        vendor 316 VendorDeviceClock() -> TwoI32: vendor "v", Write, None, ALL, 6.0 => func(compute::device_clock);
        vendor 317 VendorF32ToF16(value: F32, rounding: I32[Imm]) -> I32:
            vendor "v", Pure, None, ALL, 6.0 => func(convert::f32_to_f16);
        vendor 318 VendorAtomicFloat(
            handle: Handle @Resource, operation: I32[Imm], offset0: I32 @Index, offset1: I32[Undef] @Offset, offset2: I32[Undef],
            value: I32 @Value
        ) -> I32:
            vendor "v", Write(Atomic), None, ALL, 6.0 => func(atomic::atomic_float);
        vendor 319 VendorReorder(hint: I32, bits: I32) -> Void:
            vendor "v", Write, None, RAY_GENERATION, 6.9 => func(hit::reorder_by_hint);
        vendor 320 VendorTraceReorder(
            acceleration_structure: Handle @AccelerationStructure, ray_flags: I32, instance_inclusion_mask: I32,
            ray_contribution_to_hit_group_index: I32, multiplier_for_geometry_contribution_to_shader_index: I32,
            miss_shader_index: I32, origin_x: F32, origin_y: F32, origin_z: F32, t_min: F32, direction_x: F32,
            direction_y: F32, direction_z: F32, t_max: F32, payload: UserPtr @Payload, hint: I32, bits: I32
        ) -> Void:
            vendor "u", Write(Trace), None, RAY_GENERATION, 6.9 => func(hit::trace_reordered);
        vendor 321 VendorBarycentric(perspective: I32[Imm], component: I32[Imm]) -> F32:
            vendor "v", Pure, None, PIXEL, 6.0 => func(system::barycentric);
    } };
}
pub(crate) use for_each_dxil_op;
