//! Tests of deferred operations: what was made for a deferred call lives until its operation is
//! complete, however the application learns of that, and no longer.

use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

use ash::vk;
use ash::vk::Handle;
use dxil_layer_loaderless::{
    App, Config, Deferral, Event, InstanceRequest, aligned, below, generation_bindings, generation_stage, handle,
    shader,
};

const DEFERRED: vk::Result = vk::Result::OPERATION_DEFERRED_KHR;
const LIBRARY: &str = "rays.generate.dxil";

fn app(deferral: Deferral) -> App {
    let request = InstanceRequest::new([(c"register_shifts", c"u=200")]);
    App::with_rays(Config { deferral, ..Config::default() }, &request)
}

/// A pipeline of two DXIL stages, one with a module and one with code in its chain, and everything
/// that it points to. The test drops it when Vulkan allows that.
struct Request {
    code: Box<vk::ShaderModuleCreateInfo<'static>>,
    _words: Vec<u32>,
    stages: Box<[vk::PipelineShaderStageCreateInfo<'static>; 2]>,
    _groups: Box<[vk::RayTracingShaderGroupCreateInfoKHR<'static>; 1]>,
    infos: Box<[vk::RayTracingPipelineCreateInfoKHR<'static>; 1]>,
    out: Box<[vk::Pipeline; 1]>,
}

impl Request {
    /// A request whose translations are in the cache, so that the driver has all of the work.
    fn new(app: &App) -> Self {
        let mut request = Self::for_library(app, &shader(LIBRARY));
        _ = request.create(app, handle(0));
        app.events();
        request.out[0] = handle(0xbad);
        request
    }

    fn for_library(app: &App, library: &[u8]) -> Self {
        let layout = app.layout(&generation_bindings());
        let module = app.module(library);
        let words = aligned(library);
        let code = Box::new(vk::ShaderModuleCreateInfo {
            code_size: library.len(),
            p_code: words.as_ptr(),
            ..Default::default()
        });
        let second = generation_stage(handle(0), c"generate_second");
        let mut stages = Box::new([generation_stage(module, c"generate_first"), second]);
        stages[1].p_next = ptr::from_ref(&*code).cast();
        let groups = Box::new([vk::RayTracingShaderGroupCreateInfoKHR::default().general_shader(1)]);
        let info = vk::RayTracingPipelineCreateInfoKHR {
            stage_count: 2,
            p_stages: stages.as_ptr(),
            group_count: 1,
            p_groups: groups.as_ptr(),
            layout,
            ..Default::default()
        };
        Self { code, _words: words, stages, _groups: groups, infos: Box::new([info]), out: Box::new([handle(0xbad)]) }
    }

    fn create(&mut self, app: &App, operation: vk::DeferredOperationKHR) -> vk::Result {
        app.rays_into(operation, &*self.infos, None, &mut *self.out)
    }

    /// The application's own memory is as it was.
    fn assert_unchanged(&self) {
        assert_eq!(self.infos[0].p_stages, self.stages.as_ptr());
        assert_eq!(self.stages[1].p_next, ptr::from_ref(&*self.code).cast());
        assert!(self.stages[1].module.is_null());
    }
}

/// Asserts that the pipeline was read with both translations, from a module of the call and in the
/// chain, and before the module was destroyed. Returns the rest of the events.
fn assert_done(events: &[Event]) -> &[Event] {
    let [Event::Module { handle, .. }, Event::RayTracing { pipelines, .. }, Event::DestroyModule(destroyed), rest @ ..] =
        events
    else {
        panic!("{events:?}")
    };
    let [seen] = pipelines.as_slice() else { panic!("one pipeline") };
    assert_eq!((seen.stages[0].module, destroyed), (*handle, handle));
    assert!(seen.stages[0].name.to_str().unwrap().contains("generate_first"));
    let words = seen.stages[1].chained_words.as_ref().expect("code in the chain");
    assert_eq!(words[0], 0x0723_0203);
    assert!(seen.stages[1].name.to_str().unwrap().contains("generate_second"));
    assert_eq!(seen.groups.len(), 1);
    rest
}

/// The driver completes an operation as if another thread had joined it: past the layer.
fn join_below(app: &App, operation: vk::DeferredOperationKHR) {
    // SAFETY: the device is the fake's, and the name determines the command's type.
    let result = unsafe {
        let join = below(app.device, c"vkDeferredOperationJoinKHR");
        let join: vk::PFN_vkDeferredOperationJoinKHR = std::mem::transmute(join);
        join(app.device, operation)
    };
    assert_eq!(result.as_raw(), 0);
}

/// A library that only the test with this number uses, so that its translations are not in the
/// cache. Nothing compares the digest in its header.
fn unknown(test: u8) -> Vec<u8> {
    let mut library = shader(LIBRARY);
    library[4..8].fill(test);
    library
}

fn max_concurrency(app: &App, operation: vk::DeferredOperationKHR) -> u32 {
    // SAFETY: the command's own type; valid arguments.
    unsafe {
        let ask: vk::PFN_vkGetDeferredOperationMaxConcurrencyKHR =
            app.typed(c"vkGetDeferredOperationMaxConcurrencyKHR");
        ask(app.device, operation)
    }
}

/// Whether or not the driver defers its part: the call itself translates nothing, and who joins
/// does.
#[test]
fn who_joins_translates() {
    for (test, deferral) in [(1, Deferral::AtJoin(1)), (2, Deferral::Never), (3, Deferral::Early)] {
        let app = app(deferral);
        let mut request = Request::for_library(&app, &unknown(test));
        assert!(request.create(&app, handle(0x5)) == DEFERRED);
        assert!(app.operation_result(handle(0x5)) == vk::Result::NOT_READY);
        assert_eq!((max_concurrency(&app, handle(0x5)), app.events()), (2, Vec::new()), "two entry points");
        assert_eq!(request.out[0].as_raw(), 0xbad);
        assert_eq!(app.join(handle(0x5)).as_raw(), 0);
        assert_eq!(app.operation_result(handle(0x5)).as_raw(), 0);
        assert_eq!(assert_done(&app.events()), []);
        assert!(![0, 0xbad].contains(&request.out[0].as_raw()));
        request.assert_unchanged();
        assert_eq!((app.join(handle(0x5)).as_raw(), app.events()), (0, Vec::new()), "it is complete");
        let after = if deferral == Deferral::Never { 0 } else { 77 };
        assert_eq!(max_concurrency(&app, handle(0x5)), after);
        // The operation is used again, and everything is in the cache.
        assert!(request.create(&app, handle(0x5)) != vk::Result::ERROR_UNKNOWN);
        _ = app.join(handle(0x5));
        assert_eq!(assert_done(&app.events()), []);
        app.destroy_operation(handle(0x5));
    }
}

/// The layer calls the driver later than the application calls the layer, and the driver may use
/// the allocator until the operation is complete.
#[test]
fn the_driver_may_use_the_allocator_until_the_end() {
    let app = app(Deferral::AtJoin(3));
    let request = Request::for_library(&app, &unknown(5));
    let mut out = [handle(0xbad)];
    let allocator =
        Box::new(vk::AllocationCallbacks { p_user_data: ptr::without_provenance_mut(8), ..Default::default() });
    assert!(app.rays_into(handle(0x5), &*request.infos, Some(&allocator), &mut out) == DEFERRED);
    drop(allocator);
    for _ in 0..2 {
        assert!(app.join(handle(0x5)) == vk::Result::THREAD_IDLE_KHR);
    }
    assert_eq!(app.join(handle(0x5)).as_raw(), 0);
    assert!(![0, 0xbad].contains(&out[0].as_raw()));
}

/// An error of the driver is the result of the operation.
#[test]
fn the_result_of_an_operation_is_that_of_its_call() {
    let failed = vk::Result::ERROR_OUT_OF_DEVICE_MEMORY;
    let request = InstanceRequest::new([(c"register_shifts", c"u=200")]);
    let app = App::with_rays(Config { rays_result: Some(failed), ..Config::default() }, &request);
    let mut request = Request::for_library(&app, &unknown(4));
    assert!(request.create(&app, handle(0x5)) == DEFERRED);
    assert_eq!(app.join(handle(0x5)).as_raw(), 0, "the operation is complete");
    assert!(app.operation_result(handle(0x5)) == failed);
    // A pipeline that cannot be translated is refused by the call itself.
    request.stages[0].p_name = c"nothing".as_ptr();
    assert!(request.create(&app, handle(0x6)) == vk::Result::ERROR_UNKNOWN);
    assert_eq!(request.out[0].as_raw(), 0);
}

/// Sixteen threads translate one operation, and each of them ends with it.
#[test]
fn many_threads_translate_one_operation() {
    for round in 0..20 {
        let app = app(if round % 2 == 0 { Deferral::AtJoin(1) } else { Deferral::Never });
        let mut request = Request::for_library(&app, &unknown(100 + round));
        assert!(request.create(&app, handle(0x5)) == DEFERRED);
        let layer = &SharedApp(&app);
        std::thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(move || {
                    let app = layer.get();
                    while app.join(handle(0x5)) == vk::Result::THREAD_IDLE_KHR {
                        std::thread::yield_now();
                    }
                    assert_eq!(app.operation_result(handle(0x5)).as_raw(), 0);
                });
            }
        });
        assert_eq!(assert_done(&app.events()), [], "round {round}");
    }
}

#[test]
fn what_was_made_lives_until_the_last_join() {
    let app = app(Deferral::AtJoin(3));
    let operation = handle(0x5);
    let mut request = Request::new(&app);
    assert!(request.create(&app, operation) == DEFERRED);
    assert_eq!(request.out[0].as_raw(), 0xbad, "an output is written when the operation completes");
    let mut events = app.events();
    assert!(matches!(events.as_slice(), [Event::Module { .. }]), "{events:?}");
    for _ in 0..2 {
        assert!(app.operation_result(operation) == vk::Result::NOT_READY);
        assert!(app.join(operation) == vk::Result::THREAD_IDLE_KHR);
        assert_eq!(app.events(), [], "nothing is destroyed while the operation is pending");
    }
    assert_eq!(app.join(operation).as_raw(), 0);
    events.extend(app.events());
    assert_eq!(assert_done(&events), []);
    assert!(![0, 0xbad].contains(&request.out[0].as_raw()));
    request.assert_unchanged();
    // The application may free its memory and ask again.
    drop(request);
    assert_eq!(app.operation_result(operation).as_raw(), 0);
    assert_eq!(app.join(operation).as_raw(), 0);
    app.destroy_operation(operation);
    assert_eq!(app.events(), [Event::DestroyOperation(operation.as_raw())]);
}

#[test]
fn the_result_tells_that_an_operation_is_complete() {
    let app = app(Deferral::AtJoin(1));
    let mut request = Request::new(&app);
    assert!(request.create(&app, handle(0x5)) == DEFERRED);
    join_below(&app, handle(0x5));
    assert_eq!(app.operation_result(handle(0x5)).as_raw(), 0);
    assert_eq!(assert_done(&app.events()), []);
}

#[test]
fn a_destroyed_operation_is_complete() {
    let app = app(Deferral::AtJoin(1));
    let mut request = Request::new(&app);
    assert!(request.create(&app, handle(0x5)) == DEFERRED);
    join_below(&app, handle(0x5));
    app.destroy_operation(handle(0x5));
    assert_eq!(assert_done(&app.events()), [Event::DestroyOperation(0x5)]);
}

#[test]
fn an_operation_that_is_used_again_is_complete() {
    let app = app(Deferral::AtJoin(1));
    let (mut first, mut second) = (Request::new(&app), Request::new(&app));
    assert!(first.create(&app, handle(0x5)) == DEFERRED);
    join_below(&app, handle(0x5));
    let mut events = app.events();
    drop(first);
    assert!(second.create(&app, handle(0x5)) == DEFERRED);
    let mut of_second = app.events();
    let [Event::Module { .. }, destroyed @ Event::DestroyModule(_)] = of_second.as_slice() else {
        panic!("{of_second:?}")
    };
    events.push(destroyed.clone());
    assert_eq!(assert_done(&events), []);
    of_second.pop();
    assert_eq!(app.join(handle(0x5)).as_raw(), 0);
    of_second.extend(app.events());
    assert_eq!(assert_done(&of_second), []);
}

#[test]
fn operations_are_told_apart() {
    let app = app(Deferral::AtJoin(1));
    let (mut first, mut second) = (Request::new(&app), Request::new(&app));
    assert!(first.create(&app, handle(0x5)) == DEFERRED);
    let mut of_first = app.events();
    assert!(second.create(&app, handle(0x6)) == DEFERRED);
    let mut of_second = app.events();
    assert_eq!(app.join(handle(0x6)).as_raw(), 0);
    of_second.extend(app.events());
    assert_eq!(assert_done(&of_second), []);
    assert_eq!(app.join(handle(0x5)).as_raw(), 0);
    of_first.extend(app.events());
    assert_eq!(assert_done(&of_first), []);
}

#[test]
fn an_operation_may_be_complete_before_the_call_returns() {
    let app = app(Deferral::Early);
    let mut request = Request::new(&app);
    assert!(request.create(&app, handle(0x5)) == DEFERRED);
    assert_eq!(assert_done(&app.events()), []);
}

#[test]
fn what_is_not_deferred_ends_with_the_call() {
    let app = app(Deferral::Never);
    let mut request = Request::new(&app);
    assert!(request.create(&app, handle(0x5)) == vk::Result::OPERATION_NOT_DEFERRED_KHR);
    assert_eq!(assert_done(&app.events()), []);
    app.destroy_operation(handle(0x5));
    assert_eq!(app.events(), [Event::DestroyOperation(0x5)]);
}

#[test]
fn an_error_of_the_driver_ends_with_the_call() {
    let failed = vk::Result::ERROR_OUT_OF_DEVICE_MEMORY;
    let request = InstanceRequest::new([(c"register_shifts", c"u=200")]);
    let config = Config { deferral: Deferral::AtJoin(1), rays_result: Some(failed), ..Config::default() };
    let app = App::with_rays(config, &request);
    let mut request = Request::new(&app);
    assert!(request.create(&app, handle(0x5)) == failed);
    let events = app.events();
    assert!(matches!(events.as_slice(), [Event::Module { .. }, Event::DestroyModule(_)]), "{events:?}");
}

#[test]
fn modules_of_a_deferred_call_do_not_need_the_application_s_allocator() {
    let app = app(Deferral::AtJoin(1));
    let mut request = Request::new(&app);
    let allocator = Box::new(vk::AllocationCallbacks::default());
    let at = ptr::from_ref(&*allocator) as usize;
    let result = app.rays_into(handle(0x5), &*request.infos, Some(&allocator), &mut *request.out);
    assert!(result == DEFERRED);
    assert_eq!(app.fake_device().module_allocators().last(), Some(&0));
    assert_eq!(app.join(handle(0x5)).as_raw(), 0);
    // A call that is not deferred has it.
    assert_eq!(app.rays_into(handle(0), &*request.infos, Some(&allocator), &mut *request.out).as_raw(), 0);
    assert_eq!(app.fake_device().module_allocators().last(), Some(&at));
}

#[test]
fn many_threads_join_one_operation() {
    const THREADS: u32 = 16;
    let app = app(Deferral::AtJoin(THREADS));
    let complete = AtomicUsize::new(0);
    for round in 0..50 {
        let mut request = Request::new(&app);
        assert!(request.create(&app, handle(0x5)) == DEFERRED);
        complete.store(0, Ordering::SeqCst);
        let (layer, complete) = (&SharedApp(&app), &complete);
        std::thread::scope(|scope| {
            for thread in 0..THREADS {
                scope.spawn(move || {
                    let app = layer.get();
                    if thread % 2 == 0 {
                        let result = app.operation_result(handle(0x5));
                        assert!(result == vk::Result::NOT_READY || result == vk::Result::SUCCESS);
                    }
                    complete.fetch_add(usize::from(app.join(handle(0x5)).as_raw() == 0), Ordering::SeqCst);
                });
            }
        });
        assert_eq!(complete.load(Ordering::SeqCst), 1, "round {round}");
        assert_eq!(assert_done(&app.events()), []);
    }
}

/// The application, for the threads of a test.
struct SharedApp<'a>(&'a App);

// SAFETY: the application's commands may be called from any thread, and the test's threads end
// before it.
unsafe impl Sync for SharedApp<'_> {}

impl SharedApp<'_> {
    fn get(&self) -> &App {
        self.0
    }
}
