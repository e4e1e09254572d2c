//! A serial oracle for data layouts. It uses no blocks and no strides, and finds out for each cell alone who owns it, who
//! stores it and which cell it stands for.

use apportion::data::layout::{
    Array, AxisPlan, Division, Divisions, Edge, Ghosts, Node, Part, Sides, Split, Target, Topology, Transfer,
};
use proptest::prelude::*;

/// The byte of memory that no copy has touched.
pub const UNTOUCHED: u8 = 0xEE;

/// A dimension as the generator draws it.
#[derive(Clone, Debug)]
pub struct RawAxis {
    extent: u64,
    /// One division for each of two splits of the array.
    divisions: [(u8, u64, Vec<u64>); 2],
    widths: (u64, u64),
    edges: (u8, u8),
}

/// An array, two splits of it, and the devices; `home` tells which of them work in the host's memory.
#[derive(Clone, Debug)]
pub struct Case {
    pub element: usize,
    pub topology: Topology,
    pub axes: Vec<CaseAxis>,
    pub home: Vec<bool>,
}

#[derive(Clone, Debug)]
pub struct CaseAxis {
    pub extent: u64,
    pub ghosts: Ghosts,
    /// The topology's dimension if the axis is divided, and the two divisions.
    pub over: Option<usize>,
    pub divisions: [Division; 2],
}

/// An index of the array or past its edges, for each dimension.
pub type Cell = Vec<i64>;

pub fn cases() -> impl Strategy<Value = Case> {
    let division = (0u8..5, 1u64..4, prop::collection::vec(0u64..100, 8));
    let axis = (0u64..8, [division.clone(), division], (0u64..4, 0u64..4), (0u8..3, 0u8..3));
    let axis = axis.prop_map(|(extent, divisions, widths, edges)| RawAxis { extent, divisions, widths, edges });
    let topology = prop_oneof![
        (1usize..7).prop_map(|devices| Topology::row(devices).unwrap()),
        (1usize..4, 1usize..4).prop_map(|(r, c)| Topology::grid(r, c, r * c).unwrap()),
    ];
    let bind = prop_oneof![Just([0, 1, 2]), Just([1, 0, 2]), Just([2, 0, 1]), Just([2, 2, 0]), Just([0, 2, 1])];
    let home = prop::collection::vec(prop::bool::weighted(0.3), 9);
    let axes = prop::collection::vec(axis, 1..=3);
    (axes, topology, bind, home, prop::sample::select(vec![2usize, 4, 12])).prop_map(
        |(axes, topology, bind, home, element)| {
            let case_axis = |(raw, over): (&RawAxis, usize)| {
                let over = Some(over).filter(|&over| topology.along(over).is_some());
                let devices = over.and_then(|over| topology.along(over)).unwrap_or(1);
                let divisions = raw.divisions.each_ref().map(|drawn| division_of(drawn, raw.extent, devices));
                let cyclic = over.is_some() && divisions.iter().any(|d| matches!(d, Division::Cyclic(_)));
                let ghosts = if cyclic { Ghosts::default() } else { ghosts_of(raw) };
                CaseAxis { extent: raw.extent, ghosts, over, divisions }
            };
            let axes = axes.iter().zip(bind).map(case_axis).collect();
            Case { element, topology, axes, home: home[..topology.devices()].to_vec() }
        },
    )
}

fn division_of((kind, size, cuts): &(u8, u64, Vec<u64>), n: u64, devices: usize) -> Division {
    match kind {
        0 => Division::Block,
        1 => Division::BlockOf(n.div_ceil(devices as u64) + size - 1),
        2 => Division::Cyclic(*size),
        _ => {
            let mut cuts: Vec<u64> = cuts[..devices - 1].iter().map(|cut| cut % (n + 1)).collect();
            cuts.sort_unstable();
            cuts.push(n);
            let starts = std::iter::once(0).chain(cuts.iter().copied());
            Division::Weighted(starts.zip(&cuts).map(|(start, end)| end - start).collect())
        }
    }
}

fn ghosts_of(raw: &RawAxis) -> Ghosts {
    let edge = |drawn| [Edge::None, Edge::Periodic, Edge::Reflecting][usize::from(drawn)];
    let width =
        |width: u64, edge| if edge == Edge::Reflecting { width.min(raw.extent.saturating_sub(1)) } else { width };
    let (left_edge, right_edge) = (edge(raw.edges.0), edge(raw.edges.1));
    Ghosts { left: width(raw.widths.0, left_edge), right: width(raw.widths.1, right_edge), left_edge, right_edge }
}

/// The owner of `x`, as a place among `devices`.
pub fn owner(division: &Division, n: u64, devices: usize, x: u64) -> usize {
    let from_lengths = |lengths: Vec<u64>| {
        let owners = lengths.iter().enumerate().flat_map(|(d, &len)| (0..len).map(move |_| d));
        owners.into_iter().nth(x as usize).expect("the lengths cover the array")
    };
    let m = devices as u64;
    match division {
        Division::Block => from_lengths((0..m).map(|d| n / m + u64::from(d < n % m)).collect()),
        Division::BlockOf(size) => (x / size) as usize,
        Division::Cyclic(size) => (x / size % m) as usize,
        Division::Weighted(lengths) => from_lengths(lengths.clone()),
        other => panic!("{other:?} has no owners of its own"),
    }
}

/// All cells that have one coordinate of each list, the last dimension fastest.
pub fn product(lists: &[Vec<i64>]) -> Vec<Cell> {
    lists.iter().fold(vec![Vec::new()], |cells, list| {
        let extended =
            |cell: &Cell| list.iter().map(|&x| cell.iter().copied().chain([x]).collect()).collect::<Vec<Cell>>();
        cells.iter().flat_map(extended).collect()
    })
}

impl CaseAxis {
    fn place(&self, case: &Case, device: usize) -> Option<usize> {
        self.over.map(|over| case.topology.place(device)[over])
    }

    /// Cells that `device` owns along this dimension.
    pub fn owned(&self, case: &Case, split: usize, device: usize) -> Vec<i64> {
        let mine = |x: &u64| match (self.over, self.place(case, device)) {
            (Some(over), Some(place)) => {
                let devices = case.topology.along(over).unwrap();
                owner(&self.divisions[split], self.extent, devices, *x) == place
            }
            _ => true,
        };
        (0..self.extent).filter(mine).map(|x| x as i64).collect()
    }

    /// The cell that `x` stands for.
    pub fn source(&self, x: i64) -> Option<i64> {
        let n = self.extent as i64;
        let (beyond, edge, mirrored) = match x {
            _ if x < 0 => (true, self.ghosts.left_edge, -x),
            _ if x >= n => (true, self.ghosts.right_edge, n - 1 - (x - (n - 1))),
            _ => (false, Edge::None, 0),
        };
        match edge {
            _ if !beyond => Some(x),
            Edge::None => None,
            Edge::Reflecting => Some(mirrored),
            Edge::Periodic => (0..n).find(|y| (x - y) % n == 0),
        }
    }

    /// Owned cells and their ghosts.
    fn needed(&self, owned: &[i64]) -> Vec<i64> {
        let (Some(&first), Some(&last)) = (owned.first(), owned.last()) else { return Vec::new() };
        let left = (1..=self.ghosts.left as i64).rev().map(|k| first - k);
        let right = (1..=self.ghosts.right as i64).map(|k| last + k);
        let all = left.chain(owned.iter().copied()).chain(right);
        all.filter(|&x| self.source(x).is_some()).collect()
    }

    /// Everything that the home stores.
    fn at_home(&self) -> Vec<i64> {
        let pad = |width: u64, edge| if edge == Edge::None { 0 } else { width as i64 };
        let left = pad(self.ghosts.left, self.ghosts.left_edge);
        let right = pad(self.ghosts.right, self.ghosts.right_edge);
        (-left..self.extent as i64 + right).collect()
    }
}

/// What the oracle knows of a device.
pub struct Expected {
    /// Coordinates that its buffer has, per dimension.
    pub stored: Vec<Vec<i64>>,
    pub needed: Vec<Vec<i64>>,
    pub owned: Vec<Vec<i64>>,
}

impl Case {
    pub fn array(&self, split: usize) -> Array {
        let axis = |(j, axis): (usize, &CaseAxis)| {
            let split = match axis.over {
                None => Split::Full,
                Some(over) => {
                    let (name, range) = (Target::array("a", j), 0..axis.extent);
                    let division = axis.divisions[split].clone();
                    let divisions = Divisions::new(vec![Node { name: name.clone(), range, division, over }]).unwrap();
                    divisions.split(&name, &self.topology).unwrap()
                }
            };
            AxisPlan { extent: axis.extent, split, ghosts: axis.ghosts }
        };
        Array { element: self.element, axes: self.axes.iter().enumerate().map(axis).collect() }
    }

    /// The parts of all devices; those of devices in the host's memory are at home.
    pub fn parts(&self, split: usize) -> Vec<Part> {
        let parts = self.array(split).parts(&self.topology).unwrap();
        let moved = |(part, &home): (Part, &bool)| if home { part.at_home().unwrap() } else { part };
        parts.into_iter().zip(&self.home).map(moved).collect()
    }

    pub fn expected(&self, split: usize, device: usize) -> Expected {
        let mut owned: Vec<_> = self.axes.iter().map(|axis| axis.owned(self, split, device)).collect();
        if owned.iter().any(Vec::is_empty) {
            owned.fill(Vec::new());
        }
        let needed: Vec<_> = self.axes.iter().zip(&owned).map(|(axis, owned)| axis.needed(owned)).collect();
        let home = || self.axes.iter().map(CaseAxis::at_home).collect();
        let stored = if self.home[device] { home() } else { needed.clone() };
        Expected { stored, needed, owned }
    }

    pub fn extents(&self) -> Vec<u64> {
        self.axes.iter().map(|axis| axis.extent).collect()
    }

    /// The bytes of a cell: its number, in bytes that differ from untouched memory.
    pub fn value(&self, cell: &[i64]) -> Vec<u8> {
        let number = cell.iter().zip(&self.axes).fold(0, |number, (&x, axis)| number * axis.extent as i64 + x);
        (0..self.element).map(|k| if k == 0 { (number % 101) as u8 } else { (number / 101 + k as i64) as u8 }).collect()
    }

    /// The whole array.
    pub fn host(&self) -> Vec<u8> {
        let lists: Vec<Vec<i64>> = self.extents().iter().map(|&n| (0..n as i64).collect()).collect();
        product(&lists).iter().flat_map(|cell| self.value(cell)).collect()
    }

    pub fn source(&self, cell: &[i64]) -> Cell {
        cell.iter().zip(&self.axes).map(|(&x, axis)| axis.source(x).expect("only cells that stand for one")).collect()
    }

    /// The buffer that a device works in; devices at home share the buffer of the first of them.
    pub fn buffer(&self, device: usize) -> usize {
        if self.home[device] { self.home.iter().position(|&home| home).unwrap() } else { device }
    }

    /// A buffer for each device, with the stored cells for which `value` holds. Devices at home fill theirs together.
    pub fn buffers(&self, split: usize, value: impl Fn(&Expected, &Cell) -> bool) -> Vec<Vec<u8>> {
        let mut buffers: Vec<Vec<u8>> = vec![Vec::new(); self.home.len()];
        for device in 0..self.home.len() {
            let expected = self.expected(split, device);
            let cells = product(&expected.stored);
            let buffer = &mut buffers[self.buffer(device)];
            buffer.resize(cells.len() * self.element, UNTOUCHED);
            for (k, cell) in cells.iter().enumerate().filter(|(_, cell)| value(&expected, cell)) {
                buffer[k * self.element..(k + 1) * self.element].copy_from_slice(&self.value(&self.source(cell)));
            }
        }
        buffers
    }

    /// Applies the transfers, which all read the old buffers. Checks that nothing is written twice.
    pub fn transfer(&self, transfers: &[Transfer], from: &[Vec<u8>], to: &mut [Vec<u8>]) {
        let mut touched: Vec<Vec<u8>> = to.iter().map(|buffer| vec![0; buffer.len()]).collect();
        for transfer in transfers {
            let (source, target) = (self.buffer(transfer.from_part), self.buffer(transfer.to_part));
            assert!(transfer.bytes() > 0, "a transfer of nothing");
            for copy in &transfer.copies {
                copy.apply(&from[source], &mut to[target]).unwrap();
                touch(copy, &mut touched[target]);
            }
        }
    }
}

/// Counts the bytes that a copy writes.
pub fn touch(copy: &apportion::data::layout::BoxCopy, touched: &mut [u8]) {
    for side in [copy.from, copy.to] {
        let [first, second] = side.strides;
        assert!(first >= copy.run && second.is_multiple_of(first) && second / first >= copy.counts[0], "{copy:?}");
    }
    for j in 0..copy.counts[1] {
        for i in 0..copy.counts[0] {
            let start = copy.to.offset + i * copy.to.strides[0] + j * copy.to.strides[1];
            for byte in &mut touched[start..start + copy.run] {
                *byte += 1;
                assert_eq!(*byte, 1, "a byte is written twice, by {copy:?}");
            }
        }
    }
}

pub fn in_all(lists: &[Vec<i64>], cell: &Cell) -> bool {
    lists.iter().zip(cell).all(|(list, x)| list.contains(x))
}

/// Whether a cell is a ghost on one of these sides.
pub fn asked(expected: &Expected, cell: &Cell, sides: &[Sides]) -> bool {
    let on_side = |((owned, x), sides): ((&Vec<i64>, &i64), &Sides)| {
        let (first, last) = (owned.first().unwrap(), owned.last().unwrap());
        sides.left && x < first || sides.right && x > last
    };
    in_all(&expected.needed, cell) && expected.owned.iter().zip(cell).zip(sides).any(on_side)
}
