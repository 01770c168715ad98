//! The picture of a control-flow graph: a layer for each rank, and edges that pass between the
//! blocks.
//!
//! In: the edges between blocks, of which the first is the entry. Out: the places of blocks and
//! edges in pixels. What must hold: an edge forward goes down; an edge back, to a block on the way
//! to its own, is at the side; blocks and edges of one layer do not overlap; the work is bounded by
//! [`MOST_ITEMS`].

/// The most blocks, and places where an edge passes a layer, of a picture.
const MOST_ITEMS: usize = 2000;

/// The size of a block.
pub const BLOCK: (i32, i32) = (124, 42);

/// The width that an edge takes where it passes a layer.
const PASSING: i32 = 14;

/// The space between layers, between items of a layer, and around.
const BETWEEN: i32 = 46;
const GAP: i32 = 26;
const MARGIN: i32 = 16;

/// The space beside blocks for edges back and their labels.
const LANE: i32 = 38;

/// A point.
pub type Point = (i32, i32);

/// A picture.
pub struct Picture {
    /// Width and height.
    pub size: Point,
    /// The middle of each block; `None` for one that is not reached.
    pub blocks: Vec<Option<Point>>,
    /// The points of each edge, from its source to its target.
    pub edges: Vec<Drawn>,
}

/// An edge.
pub struct Drawn {
    /// Its points.
    pub points: Vec<Point>,
    /// Where its label is: to the left of its first point, or to the right.
    pub label_left: bool,
    /// Whether it leads back.
    pub back: bool,
}

/// A block, or a place where an edge passes a layer.
struct Item {
    width: i32,
    x: i32,
    up: Vec<usize>,
    down: Vec<usize>,
}

/// Draws a graph of so many blocks. `None` if it is too large.
pub fn picture(blocks: usize, edges: &[(usize, usize)]) -> Option<Picture> {
    let order = Order::new(blocks, edges);
    let ranks = ranks(&order, edges);
    let mut items: Vec<Item> =
        (0..blocks).map(|_| Item { width: BLOCK.0, x: 0, up: Vec::new(), down: Vec::new() }).collect();
    let mut layers: Vec<Vec<usize>> = vec![Vec::new(); ranks.iter().max()? + 1];
    for &block in &order.reached {
        layers[ranks[block]].push(block);
    }
    // The items that each edge forward passes, with its ends.
    let mut chains: Vec<Vec<usize>> = Vec::new();
    for (&(from, to), kind) in edges.iter().zip(&order.kinds) {
        let mut chain = vec![from];
        if *kind == Kind::Forward {
            for layer in &mut layers[ranks[from] + 1..ranks[to]] {
                chain.push(items.len());
                layer.push(items.len());
                items.push(Item { width: PASSING, x: 0, up: Vec::new(), down: Vec::new() });
            }
            if items.len() > MOST_ITEMS {
                return None;
            }
            chain.push(to);
            for pair in chain.windows(2) {
                items[pair[0]].down.push(pair[1]);
                items[pair[1]].up.push(pair[0]);
            }
        }
        chains.push(chain);
    }
    arrange(&mut layers, &mut items);
    let height = |rank: usize| MARGIN + BLOCK.1 / 2 + rank as i32 * (BLOCK.1 + BETWEEN);
    let mut rank_of = vec![0; items.len()];
    for (rank, layer) in layers.iter().enumerate() {
        layer.iter().for_each(|&item| rank_of[item] = rank);
    }
    let at = |item: usize| (items[item].x, height(rank_of[item]));
    let right = |item: usize| items[item].x + items[item].width / 2;
    let mut width = layers.iter().flatten().map(|&item| right(item)).max().unwrap_or(0) + MARGIN;
    let mut drawn = Vec::new();
    for ((&(from, to), kind), chain) in edges.iter().zip(&order.kinds).zip(&chains) {
        let mut points: Vec<Point> = chain.iter().map(|&item| at(item)).collect();
        if *kind == Kind::Back {
            let passed = layers[ranks[to]..=ranks[from]].iter().flatten();
            let backs = drawn.iter().filter(|edge: &&Drawn| edge.back).count() as i32;
            let lane = passed.map(|&item| right(item)).max().unwrap_or(0) + LANE + backs % 4 * 8;
            let (start, end) = (height(ranks[from]) + 7, height(ranks[to]) - 7);
            points = vec![(right(from), start), (lane, start), (lane, end), (right(to), end)];
            width = width.max(lane + MARGIN);
        } else if let [first, .., last] = &mut points[..] {
            (first.1, last.1) = (first.1 + BLOCK.1 / 2, last.1 - BLOCK.1 / 2);
        }
        drawn.push(Drawn { points, back: *kind == Kind::Back, label_left: false });
    }
    spread(blocks, edges, &mut drawn);
    let is_reached = |&block: &usize| order.is_reached[block];
    let places = (0..blocks).map(|block| Some(block).filter(is_reached).map(at)).collect();
    let last = layers.len() - 1;
    Some(Picture { size: (width, height(last) + BLOCK.1 / 2 + MARGIN), blocks: places, edges: drawn })
}

/// Sets the ends of edges apart, which are all in the middle of their blocks, in the order of where
/// the edges go.
fn spread(blocks: usize, edges: &[(usize, usize)], drawn: &mut [Drawn]) {
    let (mut out, mut into): (Vec<Vec<usize>>, Vec<Vec<usize>>) = (vec![Vec::new(); blocks], vec![Vec::new(); blocks]);
    for (number, (&(from, to), edge)) in edges.iter().zip(drawn.iter()).enumerate() {
        if !edge.back && edge.points.len() > 1 {
            out[from].push(number);
            into[to].push(number);
        }
    }
    let offset = |n: usize, count: usize| {
        let count = count as i32;
        (2 * n as i32 - (count - 1)) * (BLOCK.0 / 2 - 10).min(count * 14) / count
    };
    for numbers in &mut out {
        numbers.sort_by_key(|&number| drawn[number].points[1].0);
        for (n, &number) in numbers.iter().enumerate() {
            drawn[number].points[0].0 += offset(n, numbers.len());
            drawn[number].label_left = 2 * n + 1 < numbers.len();
        }
    }
    for numbers in &mut into {
        numbers.sort_by_key(|&number| drawn[number].points.iter().rev().nth(1).map(|point| point.0));
        for (n, &number) in numbers.iter().enumerate() {
            if let Some(last) = drawn[number].points.last_mut() {
                last.0 += offset(n, numbers.len());
            }
        }
    }
}

/// What an edge is in the depth-first order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Forward,
    Back,
    /// Its source is not reached.
    Dead,
}

/// A depth-first order.
struct Order {
    /// The reached blocks, in reverse postorder.
    reached: Vec<usize>,
    is_reached: Vec<bool>,
    kinds: Vec<Kind>,
    /// The numbers of the edges from each block.
    out: Vec<Vec<usize>>,
}

impl Order {
    fn new(blocks: usize, edges: &[(usize, usize)]) -> Self {
        let mut out: Vec<Vec<usize>> = vec![Vec::new(); blocks];
        for (number, &(from, _)) in edges.iter().enumerate() {
            out[from].push(number);
        }
        let mut order =
            Self { reached: Vec::new(), is_reached: vec![false; blocks], kinds: vec![Kind::Dead; edges.len()], out };
        let mut on_way = vec![false; blocks];
        let mut stack: Vec<(usize, usize)> = Vec::new();
        if blocks > 0 {
            (order.is_reached[0], on_way[0]) = (true, true);
            stack.push((0, 0));
        }
        while let Some((block, next)) = stack.last_mut() {
            let Some(&edge) = order.out[*block].get(*next) else {
                on_way[*block] = false;
                order.reached.push(*block);
                stack.pop();
                continue;
            };
            *next += 1;
            let to = edges[edge].1;
            order.kinds[edge] = if on_way[to] { Kind::Back } else { Kind::Forward };
            if !order.is_reached[to] {
                (order.is_reached[to], on_way[to]) = (true, true);
                stack.push((to, 0));
            }
        }
        order.reached.reverse();
        order
    }
}

/// The rank of each block: the longest way to it forward.
fn ranks(order: &Order, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut ranks = vec![0; order.out.len()];
    for &block in &order.reached {
        for &edge in order.out[block].iter().filter(|&&edge| order.kinds[edge] == Kind::Forward) {
            let to = edges[edge].1;
            ranks[to] = ranks[to].max(ranks[block] + 1);
        }
    }
    ranks
}

/// How often the layers are visited downwards and upwards.
const SWEEPS: usize = 6;

/// Orders the items of each layer by the middle of those that they are linked to, and places them.
fn arrange(layers: &mut [Vec<usize>], items: &mut [Item]) {
    for layer in layers.iter() {
        place(layer, items, |_| None);
    }
    for sweep in 0..2 * SWEEPS {
        let downwards = sweep % 2 == 0;
        let count = layers.len();
        for n in 0..count {
            let layer = &mut layers[if downwards { n } else { count - 1 - n }];
            let middles: Vec<Option<i32>> = layer
                .iter()
                .map(|&item| middle(if downwards { &items[item].up } else { &items[item].down }, items))
                .collect();
            let mut wanted: Vec<(i32, usize)> =
                layer.iter().zip(middles).map(|(&item, middle)| (middle.unwrap_or(items[item].x), item)).collect();
            // The order stays in the last sweeps, which only straighten.
            if sweep < SWEEPS {
                wanted.sort_by_key(|&(x, _)| x);
            }
            *layer = wanted.iter().map(|&(_, item)| item).collect();
            place(layer, items, |n| wanted.get(n).map(|&(x, _)| x));
        }
    }
    let left = layers.iter().flatten().map(|&item| items[item].x - items[item].width / 2).min().unwrap_or(0);
    items.iter_mut().for_each(|item| item.x += MARGIN - left);
}

fn middle(linked: &[usize], items: &[Item]) -> Option<i32> {
    let count = i32::try_from(linked.len()).ok().filter(|&count| count > 0)?;
    Some(linked.iter().map(|&item| items[item].x).sum::<i32>() / count)
}

/// Places the items of a layer from left to right, as near as possible to where they are wanted.
fn place(layer: &[usize], items: &mut [Item], wanted: impl Fn(usize) -> Option<i32>) {
    let (mut end, mut error) = (i32::MIN / 2, 0);
    for (n, &item) in layer.iter().enumerate() {
        let half = items[item].width / 2;
        let least = end + GAP + half;
        let x = wanted(n).map_or(least.max(0), |x| x.max(least));
        error += wanted(n).map_or(0, |wanted| wanted - x);
        items[item].x = x;
        end = x + half;
    }
    let count = i32::try_from(layer.len()).unwrap_or(1).max(1);
    layer.iter().for_each(|&item| items[item].x += error / count);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks of one layer are apart, edges forward go down, and edges back go up.
    fn check(blocks: usize, edges: &[(usize, usize)]) -> Picture {
        let picture = picture(blocks, edges).unwrap();
        let places: Vec<Point> = picture.blocks.iter().flatten().copied().collect();
        for (n, a) in places.iter().enumerate() {
            for b in &places[n + 1..] {
                assert!(a.1 != b.1 || (a.0 - b.0).abs() >= BLOCK.0, "{places:?}");
            }
            assert!(a.0 - BLOCK.0 / 2 >= 0 && a.0 + BLOCK.0 / 2 <= picture.size.0, "{places:?}");
            assert!(a.1 + BLOCK.1 / 2 <= picture.size.1);
        }
        for (edge, (from, to)) in picture.edges.iter().zip(edges) {
            let (Some(from), Some(to)) = (picture.blocks[*from], picture.blocks[*to]) else { continue };
            assert_eq!(edge.back, from.1 >= to.1, "{from:?} {to:?}");
            let down = edge.points.windows(2).all(|pair| pair[0].1 < pair[1].1);
            assert!(edge.back || down, "{:?}", edge.points);
        }
        picture
    }

    #[test]
    fn graphs_are_drawn() {
        check(1, &[]);
        check(4, &[(0, 1), (0, 2), (1, 3), (2, 3), (0, 3)]);
        let looped = check(5, &[(0, 1), (1, 2), (2, 1), (2, 2), (1, 4)]);
        assert_eq!(looped.edges.iter().filter(|edge| edge.back).count(), 2);
        assert!(looped.blocks[3].is_none());
        // Neither way into a loop of two entries is the only one.
        check(4, &[(0, 1), (0, 2), (1, 2), (2, 1), (2, 3)]);
    }

    #[test]
    fn large_graphs_are_not_drawn() {
        let chain = |blocks: usize| (1..blocks).flat_map(|n| [(n - 1, n), (0, n)]).collect::<Vec<_>>();
        check(50, &chain(50));
        assert!(picture(200, &chain(200)).is_none());
    }
}
