//! Arithmetic of vectors with three components.

/// A point or a direction.
pub type Vector = [f32; 3];

/// The sum of two vectors.
pub fn add(a: Vector, b: Vector) -> Vector {
    [0, 1, 2].map(|axis| a[axis] + b[axis])
}

/// The difference of two vectors.
pub fn sub(a: Vector, b: Vector) -> Vector {
    [0, 1, 2].map(|axis| a[axis] - b[axis])
}

/// A vector times a number.
pub fn scale(a: Vector, factor: f32) -> Vector {
    a.map(|x| x * factor)
}

/// The scalar product.
pub fn dot(a: Vector, b: Vector) -> f32 {
    a.iter().zip(&b).map(|(x, y)| x * y).sum()
}

/// The cross product.
pub fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The length.
pub fn length(a: Vector) -> f32 {
    dot(a, a).sqrt()
}

/// The vector of length 1 with the same direction.
pub fn normalize(a: Vector) -> Vector {
    scale(a, 1.0 / length(a))
}
