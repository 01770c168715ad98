// A text and a file name that are markup where they are not escaped:
// </script></ol><script>document.title = "run"</script><img src=x onerror="document.title='run'">
// Compiled with `-T cs_6_0 -E main -Zi -Qembed_debug` from a copy with the name in the container.
RWByteAddressBuffer results : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    results.Store(id * 4, id < 3 ? id & 1 : id + 7);
}
