define void @main() {
entry:
  %id = call i32 @dx.op.threadId.i32(i32 93, i32 0)
  %bit = and i32 %id, 1
  %odd = icmp ne i32 %bit, 0
  %dst = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind { i32 0, i32 0, i32 0, i8 1 }, i32 0, i1 false)
  %out = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %dst, %dx.types.ResourceProperties { i32 4107, i32 0 })
  %a.raw = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind { i32 0, i32 3, i32 0, i8 0 }, i32 1, i1 false)
  %b.raw = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind { i32 8, i32 8, i32 0, i8 0 }, i32 8, i1 false)
  %h0 = call %dx.types.Handle @dx.op.createHandleFromHeap(i32 218, i32 3, i1 true, i1 false)
  %h1 = call %dx.types.Handle @dx.op.createHandleFromHeap(i32 218, i32 5, i1 false, i1 false)
  %a = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %a.raw, %dx.types.ResourceProperties { i32 11, i32 0 })
  %b = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %b.raw, %dx.types.ResourceProperties { i32 11, i32 0 })
  %either = select i1 %odd, %dx.types.Handle %a.raw, %dx.types.Handle %h0
  %chosen = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %either, %dx.types.ResourceProperties { i32 11, i32 0 })
  %load = call %dx.types.ResRet.i32 @dx.op.rawBufferLoad.i32(i32 139, %dx.types.Handle %chosen, i32 0, i32 undef, i8 1, i32 4)
  %word = extractvalue %dx.types.ResRet.i32 %load, 0
  %at = shl i32 %id, 2
  call void @dx.op.rawBufferStore.i32(i32 140, %dx.types.Handle %out, i32 %at, i32 undef, i32 %word, i32 undef, i32 undef, i32 undef, i8 1, i32 4)
  ret void
}
