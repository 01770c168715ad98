//! Arena for create infos that point to one another.

use std::any::Any;
use std::cell::RefCell;

/// Owns values at fixed addresses.
#[derive(Default)]
pub struct Arena {
    values: RefCell<Vec<Box<dyn Any>>>,
}

impl Arena {
    /// Stores some values, and returns the address of the first; null for none.
    pub fn all<T: 'static>(&self, values: Vec<T>) -> *const T {
        if values.is_empty() {
            return std::ptr::null();
        }
        // The elements of a vector do not move with it.
        let address = values.as_ptr();
        self.values.borrow_mut().push(Box::new(values));
        address
    }

    /// Stores one value, and returns its address.
    pub fn one<T: 'static>(&self, value: T) -> *const T {
        self.all(vec![value])
    }
}
