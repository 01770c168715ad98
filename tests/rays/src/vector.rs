//! Vectors and transforms of three dimensions.

/// A point or direction.
pub type Vector = [f64; 3];
/// An affine transform: three rows.
pub type Matrix = [[f64; 4]; 3];

/// The scalar product.
#[must_use]
pub fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The vector product.
#[must_use]
pub fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The difference.
#[must_use]
pub fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// The inverse of a transform.
#[must_use]
pub fn inverse(matrix: &Matrix) -> Matrix {
    let [a, b, c] = matrix.map(|row| [row[0], row[1], row[2]]);
    let columns = [cross(b, c), cross(c, a), cross(a, b)];
    let determinant = dot(a, columns[0]);
    let moved = [matrix[0][3], matrix[1][3], matrix[2][3]];
    [0, 1, 2].map(|row| {
        let of_row = columns.map(|column| column[row] / determinant);
        [of_row[0], of_row[1], of_row[2], -dot(of_row, moved)]
    })
}

/// A point or direction under a transform.
#[must_use]
pub fn moved(matrix: &Matrix, v: Vector, point: bool) -> Vector {
    matrix.map(|row| dot([row[0], row[1], row[2]], v) + if point { row[3] } else { 0.0 })
}
