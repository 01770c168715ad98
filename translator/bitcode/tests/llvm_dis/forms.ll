; Forms of LLVM IR that DXC does not write or seldom writes. llvm-as 14 makes bitcode of it.
target datalayout = "e-m:e-p:32:32-i1:32-i8:8-i16:16-i32:32-i64:64-f16:16-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%pair = type { i32, float }
%packed = type <{ i8, i32 }>
%list = type { i32, %list* }
%nested = type { [4 x %pair], <2 x half>, { i64, double } }
%opaque = type opaque
%"quoted name" = type { %opaque*, void (i32, ...)* }

@plain = global i32 7
@constant = internal unnamed_addr constant [3 x i16] [i16 1, i16 -2, i16 3], align 8
@text = private constant [6 x i8] c"a\22\00\FF\5Cb"
@floats = constant [4 x float] [float 1.000000e+00, float 0x7FF8000000000000, float 0xFFF0000000000000, float 0x36A0000000000000]
@doubles = constant [3 x double] [double 1.000000e-01, double 0x7FF0000000000001, double 4.940656e-324]
@halfs = constant [2 x half] [half 0xH3C00, half 0xH7E01]
@structs = constant [2 x %pair] [%pair { i32 1, float 2.000000e+00 }, %pair zeroinitializer]
@packs = constant %packed <{ i8 1, i32 -1 }>
@wide = constant i128 -170141183460469231731687303715884105728
@wider = constant [2 x i128] [i128 18446744073709551616, i128 -1]
@undefs = constant { i32, i32 } { i32 undef, i32 5 }
@vector = constant <4 x i32> <i32 1, i32 undef, i32 -3, i32 4>
@shared = addrspace(3) global [64 x %pair] undef, align 16
@threads = external thread_local global i32
@self = global %list { i32 1, %list* @self }
@forward = global i32* @later
@later = global i32 1
@sectioned = global i32 0, section "some.section"
@element = constant float* getelementptr inbounds ([4 x float], [4 x float]* @floats, i32 0, i32 2)
@cast = constant i64 ptrtoint (i32* @plain to i64)
@sum = constant i64 add (i64 ptrtoint (i32* @plain to i64), i64 12)
@back = constant i8* inttoptr (i64 sub nuw (i64 ptrtoint (i32* @plain to i64), i64 4) to i8*)
@bits = constant i8* bitcast (i32* @plain to i8*)
@spaces = constant i32* addrspacecast (i32 addrspace(3)* getelementptr ([64 x %pair], [64 x %pair] addrspace(3)* @shared, i32 0, i32 3, i32 0) to i32*)
@compare = constant i1 icmp ugt (i64 ptrtoint (i32* @plain to i64), i64 ptrtoint (i32* @later to i64))
@choice = constant i32* select (i1 icmp eq (i32* @plain, i32* @later), i32* @plain, i32* @later)
@pointers = constant [2 x void ()*] [void ()* @nothing, void ()* null]
@lane = constant i64 extractelement (<2 x i64> <i64 ptrtoint (i32* @plain to i64), i64 3>, i32 zext (i1 icmp eq (i32* @plain, i32* @later) to i32))
@inserted = constant <2 x i64> insertelement (<2 x i64> zeroinitializer, i64 1, i32 zext (i1 icmp eq (i32* @plain, i32* @later) to i32))

@alias = alias i32, i32* @plain
@alias_into = internal alias float, getelementptr inbounds ([4 x float], [4 x float]* @floats, i32 0, i32 1)

declare void @nothing()
declare i32 @variadic(i32, ...)
declare zeroext i8 @attributed(i8 zeroext, i32* noalias nocapture readonly align 16 dereferenceable(64)) #0
declare float @unary(float) #1
declare i32 @llvm.read_register.i32(metadata)
declare void @llvm.write_register.i32(metadata, i32)

define internal i32 @arithmetic(i32 %a, i32 %b, i1 %c) unnamed_addr #1 {
entry:
  %0 = add nuw nsw i32 %a, %b
  %1 = sub nsw i32 %0, 7
  %2 = mul nuw i32 %1, -3
  %3 = udiv exact i32 %2, 3
  %4 = sdiv i32 %3, %b
  %5 = urem i32 %4, %b
  %6 = srem i32 %5, %b
  %7 = shl nuw i32 %6, 2
  %8 = lshr exact i32 %7, 1
  %9 = ashr i32 %8, 1
  %10 = and i32 %9, 255
  %11 = or i32 %10, 1
  %named = xor i32 %11, -1
  %12 = select i1 %c, i32 %named, i32 %0
  %13 = freeze i32 %12
  ret i32 %13
}

define float @floats.of(float %a, float %b, double %d, half %h) {
  %1 = fadd fast float %a, %b
  %2 = fsub nnan ninf float %1, 1.000000e+00
  %3 = fmul nsz arcp contract float %2, %b
  %4 = fdiv afn reassoc float %3, %b
  %5 = frem float %4, %b
  %6 = fneg nsz float %5
  %7 = fpext float %6 to double
  %8 = fadd double %7, %d
  %9 = fptrunc double %8 to half
  %10 = fadd half %9, 0xH4000
  %11 = fpext half %10 to float
  %12 = fptoui float %11 to i32
  %13 = uitofp i32 %12 to float
  %14 = fptosi float %13 to i16
  %15 = sitofp i16 %14 to float
  %16 = fcmp fast oge float %15, %a
  %17 = fcmp uno float %15, 0.000000e+00
  %18 = xor i1 %16, %17
  %19 = select fast i1 %18, float %a, float %b
  %20 = call fast float @unary(float %19)
  ret float %20
}

define i64 @integers(i32 %a, i64 %l, i128 %w, i3 %t) {
  %1 = sext i32 %a to i64
  %2 = zext i3 %t to i64
  %3 = trunc i128 %w to i64
  %4 = add i64 %1, %2
  %5 = add i64 %4, %3
  %6 = add i64 %5, -9223372036854775808
  %7 = icmp slt i64 %6, %l
  %8 = icmp ne i3 %t, -1
  %9 = and i1 %7, %8
  %10 = add i128 %w, 340282366920938463463374607431768211455
  %11 = trunc i128 %10 to i64
  %12 = select i1 %9, i64 %6, i64 %11
  %13 = bitcast i64 %12 to double
  %14 = bitcast double %13 to <2 x i32>
  %15 = bitcast <2 x i32> %14 to i64
  ret i64 %15
}

define <4 x float> @vectors(<4 x float> %v, <4 x float> %w, i32 %i, <4 x i1> %m) {
  %1 = extractelement <4 x float> %v, i32 %i
  %2 = insertelement <4 x float> %w, float %1, i64 3
  %3 = shufflevector <4 x float> %v, <4 x float> %2, <4 x i32> <i32 0, i32 undef, i32 7, i32 2>
  %4 = shufflevector <4 x float> %3, <4 x float> undef, <4 x i32> zeroinitializer
  %5 = shufflevector <4 x float> %3, <4 x float> %4, <2 x i32> <i32 1, i32 2>
  %6 = select <4 x i1> %m, <4 x float> %3, <4 x float> %4
  %7 = fcmp olt <4 x float> %6, <float 1.000000e+00, float 2.000000e+00, float 3.000000e+00, float 0x3FB99999A0000000>
  %8 = zext <4 x i1> %7 to <4 x i32>
  %9 = uitofp <4 x i32> %8 to <4 x float>
  %10 = extractelement <2 x float> %5, i8 1
  %11 = insertelement <4 x float> %9, float %10, i32 0
  %12 = fadd <4 x float> %11, %6
  ret <4 x float> %12
}

define void @memory(%nested* %n, [8 x i32]* %array, i32 %i, i32 addrspace(3)* %shared) {
  %1 = alloca i32, align 4
  %2 = alloca %pair, i32 4, align 32
  %3 = alloca [4 x float], i64 1, align 4
  %4 = getelementptr inbounds %nested, %nested* %n, i32 0, i32 0, i32 %i, i32 1
  %5 = load float, float* %4, align 4
  %6 = getelementptr [8 x i32], [8 x i32]* %array, i64 0, i32 %i
  %7 = load volatile i32, i32* %6, align 1
  store volatile i32 %7, i32* %1, align 2
  store float %5, float* %4, align 1
  %8 = load atomic i32, i32* %6 syncscope("singlethread") acquire, align 4
  store atomic i32 %8, i32* %6 release, align 4
  fence seq_cst
  fence syncscope("singlethread") acq_rel
  %9 = atomicrmw xchg i32 addrspace(3)* %shared, i32 %8 monotonic, align 4
  %10 = atomicrmw volatile umax i32 addrspace(3)* %shared, i32 %9 acq_rel, align 4
  %11 = atomicrmw nand i32 addrspace(3)* %shared, i32 %10 seq_cst, align 4
  %12 = cmpxchg i32 addrspace(3)* %shared, i32 %11, i32 5 acq_rel monotonic, align 4
  %13 = cmpxchg weak volatile i32 addrspace(3)* %shared, i32 %11, i32 6 seq_cst acquire, align 4
  %14 = extractvalue { i32, i1 } %12, 0
  %15 = extractvalue { i32, i1 } %13, 1
  %16 = getelementptr inbounds %pair, %pair* %2, i32 %14
  store %pair { i32 1, float 2.500000e-01 }, %pair* %16, align 4
  %17 = load %nested, %nested* %n, align 8
  %18 = extractvalue %nested %17, 0, 2, 1
  %19 = insertvalue %nested %17, float %18, 0, 3, 1
  store %nested %19, %nested* %n, align 8
  %20 = ptrtoint i32* %1 to i32
  %21 = inttoptr i32 %20 to float*
  %22 = addrspacecast float* %21 to float addrspace(3)*
  %23 = icmp eq float* %21, null
  %24 = getelementptr i32, i32* %1, <2 x i32> <i32 1, i32 2>
  %25 = ptrtoint <2 x i32*> %24 to <2 x i32>
  %26 = extractvalue { i32, i1 } %13, 0
  ret void
}

define i32 @flow(i32 %a, i64 %label, i1 %c) {
entry:
  br i1 %c, label %head, label %other

head:                                             ; preds = %latch, %entry
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %later = phi i32 [ %a, %entry ], [ %0, %latch ]
  switch i32 %i, label %latch [
    i32 0, label %other
    i32 -1, label %1
    i32 7, label %1
  ]

latch:                                            ; preds = %head
  %next = add i32 %i, 1
  %0 = mul i32 %next, %later
  br i1 %c, label %head, label %1

1:                                                ; preds = %latch, %head, %head
  switch i64 %label, label %2 [
    i64 -9223372036854775808, label %other
    i64 4294967296, label %dead
  ]

2:                                                ; preds = %1
  switch i1 %c, label %dead [
  ]

other:                                            ; preds = %1, %head, %entry
  %result = phi i32 [ 3, %entry ], [ %i, %head ], [ undef, %1 ]
  %call = tail call i32 (i32, ...) @variadic(i32 %result, float 1.000000e+00, i64 %label)
  %call.1 = musttail call i32 @flow(i32 %call, i64 %label, i1 %c)
  ret i32 %call.1

dead:                                             ; preds = %2, %1
  call void @nothing() #2
  notail call void @nothing()
  %small = call zeroext i8 @attributed(i8 zeroext 3, i32* nonnull @plain)
  unreachable
}

define void @attached(float* %p) !function.kind !3 {
  %1 = load float, float* %p, align 4, !range.kind !4, !dx.precise !5
  %2 = call i32 @llvm.read_register.i32(metadata !3)
  call void @llvm.write_register.i32(metadata !3, i32 %2)
  store float %1, float* %p, align 4, !dx.nontemporal !6
  ret void
}

attributes #0 = { nounwind readonly "key" "with value"="a\22b" alignstack=16 }
attributes #1 = { nounwind readnone "fp32-denorm-mode"="ftz" }
attributes #2 = { noreturn nounwind }

!first = !{!0, !1}
!dx.second = !{!2}
!empty = !{}

!0 = !{i32 1, !"string with \22quotes\22 and \00", null, !1}
!1 = distinct !{!1, float 1.500000e+00, void ()* @nothing}
!2 = !{!0, !0, !{}, i64 -1, <2 x i32> <i32 1, i32 2>, %pair { i32 1, float undef }}
!3 = !{!"function"}
!4 = !{i32 0, i32 10}
!5 = !{i32 1}
!6 = !{!5, !"x"}
