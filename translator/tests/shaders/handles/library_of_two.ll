@"\01?inputs@@3PAUByteAddressBuffer@@A" = external constant [4 x %struct.ByteAddressBuffer], align 4
@"\01?results@@3PAURWByteAddressBuffer@@A" = external constant [2 x %struct.RWByteAddressBuffer], align 4

define void @"\01?generate@@YAXXZ"() #0 {
entry:
  %id = call i32 @dx.op.dispatchRaysIndex.i32(i32 145, i8 0)
  %at = shl i32 %id, 2
  %bit = and i32 %id, 1
  %odd = icmp ne i32 %bit, 0
  %low = icmp ult i32 %id, 20
  %in.0.loaded = load %struct.ByteAddressBuffer, %struct.ByteAddressBuffer* getelementptr inbounds ([4 x %struct.ByteAddressBuffer], [4 x %struct.ByteAddressBuffer]* @"\01?inputs@@3PAUByteAddressBuffer@@A", i32 0, i32 0), align 4
  %in.0 = call %dx.types.Handle @dx.op.createHandleForLib.struct.ByteAddressBuffer(i32 160, %struct.ByteAddressBuffer %in.0.loaded)
  %word.ret = call %dx.types.ResRet.i32 @dx.op.rawBufferLoad.i32(i32 139, %dx.types.Handle %in.0, i32 0, i32 undef, i8 1, i32 4)
  %word = extractvalue %dx.types.ResRet.i32 %word.ret, 0
  %picked = and i32 %word, 3
  %in.3.loaded = load %struct.ByteAddressBuffer, %struct.ByteAddressBuffer* getelementptr inbounds ([4 x %struct.ByteAddressBuffer], [4 x %struct.ByteAddressBuffer]* @"\01?inputs@@3PAUByteAddressBuffer@@A", i32 0, i32 3), align 4
  %in.3 = call %dx.types.Handle @dx.op.createHandleForLib.struct.ByteAddressBuffer(i32 160, %struct.ByteAddressBuffer %in.3.loaded)
  %in.p.at = getelementptr inbounds [4 x %struct.ByteAddressBuffer], [4 x %struct.ByteAddressBuffer]* @"\01?inputs@@3PAUByteAddressBuffer@@A", i32 0, i32 %picked
  %in.p.loaded = load %struct.ByteAddressBuffer, %struct.ByteAddressBuffer* %in.p.at, align 4
  %in.p = call %dx.types.Handle @dx.op.createHandleForLib.struct.ByteAddressBuffer(i32 160, %struct.ByteAddressBuffer %in.p.loaded)
  %other.loaded = load %struct.RWByteAddressBuffer, %struct.RWByteAddressBuffer* getelementptr inbounds ([2 x %struct.RWByteAddressBuffer], [2 x %struct.RWByteAddressBuffer]* @"\01?results@@3PAURWByteAddressBuffer@@A", i32 0, i32 0), align 4
  %other = call %dx.types.Handle @dx.op.createHandleForLib.struct.RWByteAddressBuffer(i32 160, %struct.RWByteAddressBuffer %other.loaded)
  %first = select i1 %odd, %dx.types.Handle %in.3, %dx.types.Handle %other
  %second = select i1 %low, %dx.types.Handle %first, %dx.types.Handle %in.p
  %a.ret = call %dx.types.ResRet.i32 @dx.op.rawBufferLoad.i32(i32 139, %dx.types.Handle %first, i32 %at, i32 undef, i8 1, i32 4)
  %a = extractvalue %dx.types.ResRet.i32 %a.ret, 0
  %b.ret = call %dx.types.ResRet.i32 @dx.op.rawBufferLoad.i32(i32 139, %dx.types.Handle %second, i32 %at, i32 undef, i8 1, i32 4)
  %b = extractvalue %dx.types.ResRet.i32 %b.ret, 0
  %thrice = mul i32 %b, 3
  %start = add i32 %thrice, %a
  %rounds = and i32 %id, 3
  %in.1.loaded = load %struct.ByteAddressBuffer, %struct.ByteAddressBuffer* getelementptr inbounds ([4 x %struct.ByteAddressBuffer], [4 x %struct.ByteAddressBuffer]* @"\01?inputs@@3PAUByteAddressBuffer@@A", i32 0, i32 1), align 4
  %in.1 = call %dx.types.Handle @dx.op.createHandleForLib.struct.ByteAddressBuffer(i32 160, %struct.ByteAddressBuffer %in.1.loaded)
  %none = icmp eq i32 %rounds, 0
  br i1 %none, label %after, label %round

round:
  %i = phi i32 [ 0, %entry ], [ %i.next, %round ]
  %sum = phi i32 [ %start, %entry ], [ %sum.next, %round ]
  %kept = phi %dx.types.Handle [ undef, %entry ], [ %next, %round ]
  %is.first = icmp eq i32 %i, 0
  %now = select i1 %is.first, %dx.types.Handle %in.1, %dx.types.Handle %kept
  %c.ret = call %dx.types.ResRet.i32 @dx.op.rawBufferLoad.i32(i32 139, %dx.types.Handle %now, i32 %at, i32 undef, i8 1, i32 4)
  %c = extractvalue %dx.types.ResRet.i32 %c.ret, 0
  %seven = mul i32 %sum, 7
  %sum.next = add i32 %seven, %c
  %two = add i32 %i, 2
  %element = and i32 %two, 3
  %next.at = getelementptr inbounds [4 x %struct.ByteAddressBuffer], [4 x %struct.ByteAddressBuffer]* @"\01?inputs@@3PAUByteAddressBuffer@@A", i32 0, i32 %element
  %next.loaded = load %struct.ByteAddressBuffer, %struct.ByteAddressBuffer* %next.at, align 4
  %next = call %dx.types.Handle @dx.op.createHandleForLib.struct.ByteAddressBuffer(i32 160, %struct.ByteAddressBuffer %next.loaded)
  %i.next = add i32 %i, 1
  %done = icmp eq i32 %i.next, %rounds
  br i1 %done, label %after, label %round

after:
  %all = phi i32 [ %start, %entry ], [ %sum.next, %round ]
  %out.loaded = load %struct.RWByteAddressBuffer, %struct.RWByteAddressBuffer* getelementptr inbounds ([2 x %struct.RWByteAddressBuffer], [2 x %struct.RWByteAddressBuffer]* @"\01?results@@3PAURWByteAddressBuffer@@A", i32 0, i32 1), align 4
  %out.x = call %dx.types.Handle @dx.op.createHandleForLib.struct.RWByteAddressBuffer(i32 160, %struct.RWByteAddressBuffer %out.loaded)
  %out.y = call %dx.types.Handle @dx.op.createHandleForLib.struct.RWByteAddressBuffer(i32 160, %struct.RWByteAddressBuffer %out.loaded)
  %out.h = select i1 %odd, %dx.types.Handle %out.x, %dx.types.Handle %out.y
  call void @dx.op.rawBufferStore.i32(i32 140, %dx.types.Handle %out.h, i32 %at, i32 undef, i32 %all, i32 undef, i32 undef, i32 undef, i8 1, i32 4)
  ret void
}
