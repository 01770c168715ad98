//! A cache of size zero and a small one. The only test of this file, because the bound is that of
//! the whole process: the largest of all instances.

use dxil_layer_loaderless::{App, fixture};

#[test]
fn without_room_everything_is_translated_anew() {
    let shaders = ["arithmetic/float_basic.dxil", "buffer/raw_read_write.dxil", "cbuffer/dynamic.dxil"];
    let mut first: Vec<Vec<u32>> = Vec::new();
    for size in [c"0", c"1"] {
        let app = App::with_settings([(c"cache_mb", size), (c"register_shifts", c"t=100,u=200,s=300")]);
        for _ in 0..20 {
            let words: Vec<Vec<u32>> = shaders
                .iter()
                .map(|shader| {
                    let (result, module) = app.module_of(&fixture(shader));
                    assert_eq!(result.as_raw(), 0);
                    app.destroy_module(module);
                    app.words().remove(0)
                })
                .collect();
            if first.is_empty() {
                first.clone_from(&words);
            }
            assert!(words == first);
        }
    }
}
