//! Divisions and alignment, topologies, layouts that are refused, and layouts of arrays far larger than memory.

use apportion::data::layout::{
    Array, AxisPlan, BoxCopy, CopyRates, Cyclic, Division, Divisions, Edge, Ghosts, LayoutError, Means, Node, Owned,
    Part, Ratio, Sides, Split, Target, Topology, bytes_of, cheaper, collect, ghosts, moves, place,
};
use apportion::units::{BytesPerSecond, Seconds};
use proptest::prelude::*;
use std::ops::Range;

fn node(name: Target, range: Range<u64>, division: Division) -> Node {
    Node { name, range, division, over: 0 }
}

fn align(target: Target, ratio: u64, offset: u64) -> Division {
    Division::Align { target, ratio: Ratio::new(ratio, 1), offset }
}

fn owned(divisions: &Divisions, name: &Target, devices: usize) -> Vec<Owned> {
    match divisions.split(name, &Topology::row(devices).unwrap()).unwrap() {
        Split::Over { dimension: 0, owned } => owned,
        other => panic!("{name} is divided as {other:?}"),
    }
}

fn owner(owned: &[Owned], x: u64) -> Vec<usize> {
    (0..owned.len()).filter(|&d| owned[d].contains(x)).collect()
}

// --- Alignment. ---

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn who_is_aligned_has_the_image_of_its_roots_cells(
        (devices, start, n) in (1usize..6, 0u64..5, 0u64..20),
        kind in 0u8..4, size in 1u64..5, cuts in prop::collection::vec(0u64..100, 5),
        links in prop::collection::vec((1u64..4, 0u64..5), 1..4),
        (loops_follow, short) in (any::<bool>(), 0u64..30),
    ) {
        // Either arrays follow a loop, or a loop and other arrays follow an array.
        let name = |i: usize| match (i, loops_follow) {
            (0, false) => Target::of_loop("root"),
            (1, true) => Target::of_loop("follower"),
            _ => Target::array(&format!("x{i}"), 0),
        };
        let start = if loops_follow { 0 } else { start };
        let division = match kind {
            0 => Division::Block,
            1 => Division::BlockOf(n.div_ceil(devices as u64) + size - 1),
            2 => Division::Cyclic(size),
            _ => {
                let mut cuts: Vec<u64> = cuts[..devices - 1].iter().map(|cut| cut % (n + 1)).collect();
                cuts.sort_unstable();
                cuts.push(n);
                let starts = std::iter::once(0).chain(cuts.iter().copied());
                Division::Weighted(starts.zip(&cuts).map(|(start, end)| end - start).collect())
            }
        };
        let mut nodes = vec![node(name(0), start..start + n, division)];
        let (mut ratio, mut offset) = (1, 0);
        for (i, &(k, o)) in links.iter().enumerate() {
            (ratio, offset) = (k * ratio, o + k * offset);
            let end = offset + ratio * (start + n);
            // The range is longer than the root's image, or is cut off within it.
            let range = 0..(end + 3).saturating_sub(short);
            let range = if matches!(name(i + 1), Target::Loop(_)) { range.end.min(2)..range.end } else { range };
            nodes.push(node(name(i + 1), range, align(name(i), k, o)));
        }
        let ranges: Vec<_> = nodes.iter().map(|node| node.range.clone()).collect();
        nodes.reverse();
        let divisions = Divisions::new(nodes).unwrap();
        let root = owned(&divisions, &name(0), devices);
        let (mut ratio, mut offset) = (1, 0);
        for (i, &(k, o)) in links.iter().enumerate() {
            (ratio, offset) = (k * ratio, o + k * offset);
            let found = divisions.aligned(&name(i + 1)).unwrap();
            prop_assert_eq!((found.root, found.chain.whole()), (links.len(), Some((ratio, offset))));
            let (mine, range) = (owned(&divisions, &name(i + 1), devices), &ranges[i + 1]);
            for x in start..start + n {
                for y in offset + ratio * x..offset + ratio * (x + 1) {
                    let expected = if range.contains(&y) { owner(&root, x) } else { Vec::new() };
                    prop_assert_eq!(owner(&mine, y), expected, "cell {} of {}, from {}", y, name(i + 1), x);
                }
            }
            for y in range.clone() {
                prop_assert_eq!(owner(&mine, y).len(), 1, "cell {} of {}", y, name(i + 1));
            }
            let cells: u64 = mine.iter().map(Owned::len).sum();
            prop_assert_eq!(cells, range.end - range.start);
        }
    }

    /// Compares each cell with the rule itself: link by link, cell `j` is where `floor((j - offset) / ratio)` is.
    #[test]
    fn who_is_aligned_by_fractions_has_each_cell_once_and_where_the_rule_says(
        (devices, start, n) in (1usize..6, 0u64..5, 0u64..30),
        cyclic in prop::option::of(1u64..3), cuts in prop::collection::vec(0u64..100, 5),
        links in prop::collection::vec((1u64..5, 1u64..5, 0u64..5), 1..4), short in 0u64..20,
    ) {
        let name = |i: usize| if i == 0 { Target::of_loop("root") } else { Target::array(&format!("x{i}"), 0) };
        // Blocks of a cyclic division must not cut a cell in two.
        let division = match cyclic {
            Some(size) => Division::Cyclic(size * links.iter().map(|link| link.1).product::<u64>()),
            None => {
                let mut cuts: Vec<u64> = cuts[..devices - 1].iter().map(|cut| cut % (n + 1)).collect();
                cuts.sort_unstable();
                cuts.push(n);
                let starts = std::iter::once(0).chain(cuts.iter().copied());
                Division::Weighted(starts.zip(&cuts).map(|(start, end)| end - start).collect())
            }
        };
        let mut nodes = vec![node(name(0), start..start + n, division)];
        let mut last = start + n;
        for (i, &(cells, items, offset)) in links.iter().enumerate() {
            last = offset + (last * cells).div_ceil(items);
            let end = (last + 3).saturating_sub(short);
            let ratio = Ratio::new(cells, items);
            nodes.push(node(name(i + 1), 0..end, Division::Align { target: name(i), ratio, offset }));
        }
        let ranges: Vec<_> = nodes.iter().map(|node| node.range.clone()).collect();
        let divisions = Divisions::new(nodes).unwrap();
        let root = owned(&divisions, &name(0), devices);
        for (i, range) in ranges.iter().enumerate().skip(1) {
            let mine = owned(&divisions, &name(i), devices);
            for cell in range.clone() {
                let up = |cell: Option<u64>, (cells, items, offset): &(u64, u64, u64)| {
                    cell?.checked_sub(*offset).map(|cell| cell * items / cells)
                };
                let item = links[..i].iter().rev().fold(Some(cell), up);
                let found = owner(&mine, cell);
                prop_assert_eq!(found.len(), 1, "cell {} of {}", cell, name(i));
                if let Some(item) = item.filter(|item| (start..start + n).contains(item)) {
                    prop_assert_eq!(found, owner(&root, item), "cell {} of {}, of item {}", cell, name(i), item);
                }
            }
            prop_assert_eq!(mine.iter().map(Owned::len).sum::<u64>(), range.end);
        }
    }

    #[test]
    fn moves_between_any_two_cyclic_divisions_meet_every_cell(
        n in 0u64..200, devices in (1usize..5, 1usize..5), blocks in (1u64..9, 1u64..9),
    ) {
        let parts = |devices: usize, block: u64| {
            let name = Target::array("x", 0);
            let divisions = Divisions::new(vec![node(name.clone(), 0..n, Division::Cyclic(block))]).unwrap();
            let parts = owned(&divisions, &name, devices).into_iter().map(|o| Part::new(1, [(n, o, Ghosts::default())]));
            parts.collect::<Result<Vec<_>, _>>().unwrap()
        };
        let (old, new) = (parts(devices.0, blocks.0), parts(devices.1, blocks.1));
        let cells = |parts: &[Part]| -> Vec<Vec<u8>> {
            let of = |part: &Part| (0..part.owned_cells()).map(|l| part.axes()[0].global(l).unwrap() as u8).collect();
            parts.iter().map(of).collect()
        };
        let (from, expected) = (cells(&old), cells(&new));
        let mut to: Vec<Vec<u8>> = expected.iter().map(|cells| vec![255; cells.len()]).collect();
        let mut bytes = 0;
        for transfer in moves(&old, &new).unwrap() {
            bytes += transfer.bytes() as u64;
            for copy in &transfer.copies {
                copy.apply(&from[transfer.from_part], &mut to[transfer.to_part]).unwrap();
            }
        }
        prop_assert_eq!(to, expected);
        prop_assert_eq!(bytes, n, "each cell moves once");
    }
}

#[test]
fn what_lies_past_the_image_goes_with_the_outermost_that_have_something() {
    let (root, rows) = (Target::of_loop("rows"), Target::array("u", 0));
    let inner = Division::Weighted(vec![0, 3, 5, 0]);
    let nodes = vec![node(root.clone(), 1..9, inner), node(rows.clone(), 0..10, align(root, 1, 0))];
    let blocks = [0..0, 0..4, 4..10, 9..9].map(Owned::Block);
    let found = owned(&Divisions::new(nodes).unwrap(), &rows, 4);
    assert!(found.iter().zip(&blocks).all(|(a, b)| a == b || a.is_empty() && b.is_empty()), "{found:?}");
}

#[test]
fn a_loop_that_a_policy_divides_is_decided_later() {
    let (rows, u) = (Target::of_loop("rows"), Target::array("u", 0));
    let nodes = vec![node(u.clone(), 0..20, align(rows.clone(), 2, 0)), node(rows.clone(), 0..10, Division::Auto)];
    let mut divisions = Divisions::new(nodes).unwrap();
    let row = Topology::row(2).unwrap();
    assert!(matches!(divisions.split(&u, &row), Err(LayoutError::Division { .. })));
    for counts in [vec![3, 7], vec![10, 0]] {
        divisions.decide(&rows, counts.clone()).unwrap();
        assert_eq!(owned(&divisions, &u, 2), [Owned::Block(0..2 * counts[0]), Owned::Block(2 * counts[0]..20)]);
    }
    divisions.decide(&rows, vec![3, 8]).unwrap();
    assert!(divisions.split(&u, &row).unwrap_err().to_string().contains("11 together"));
    assert!(divisions.decide(&u, vec![1, 1]).is_err());
}

#[test]
fn chains_that_lead_nowhere_are_named() {
    let (a, b, c) = (Target::array("a", 0), Target::array("b", 1), Target::of_loop("c"));
    let error = |nodes: Vec<Node>| Divisions::new(nodes).unwrap_err().to_string();
    let follow = |name: &Target, target: &Target| node(name.clone(), 0..4, align(target.clone(), 1, 0));
    let chain = error(vec![follow(&a, &b), follow(&b, &c), follow(&c, &b)]);
    assert!(chain.contains("dimension 0 of a -> dimension 1 of b -> loop c -> dimension 1 of b"), "{chain}");
    assert!(error(vec![follow(&a, &a)]).contains("circle"));
    let missing = error(vec![follow(&a, &b), follow(&b, &c)]);
    assert!(missing.contains("dimension 0 of a -> dimension 1 of b: there is no loop c"), "{missing}");
    let zero = error(vec![node(a.clone(), 0..4, align(b.clone(), 0, 0)), node(b.clone(), 0..4, Division::Block)]);
    assert!(zero.contains("dimension 0 of a") && zero.contains("ratio of 0"), "{zero}");
    let nothing = Division::Align { target: b.clone(), ratio: Ratio::new(1, 0), offset: 0 };
    let zero = error(vec![node(a.clone(), 0..4, nothing), node(b.clone(), 0..4, Division::Block)]);
    assert!(zero.contains("ratio of 0"), "{zero}");
    let twice = error(vec![node(a.clone(), 0..4, Division::Block), node(a.clone(), 0..4, Division::Block)]);
    assert!(twice.contains("twice"), "{twice}");
    assert!(error(vec![node(c.clone(), 0..4, Division::Full)]).contains("FULL"));
    assert!(error(vec![follow(&c, &a), node(a.clone(), 0..4, Division::Full)]).contains("FULL"));
    assert!(error(vec![node(a.clone(), 0..4, Division::Auto)]).contains("AUTO is for loops"));
    assert!(error(vec![node(a.clone(), 1..4, Division::Block)]).contains("start at 0"));
    let far = error(vec![
        node(a.clone(), 0..4, align(b.clone(), u64::MAX, 0)),
        node(b, 0..4, align(c.clone(), 2, 0)),
        node(c, 0..4, Division::Block),
    ]);
    assert!(far.contains("past 2^64"), "{far}");
    assert!(error(vec![node(a, 0..u64::MAX, Division::Block)]).contains("2^61"));
}

#[test]
fn blocks_in_turns_that_cut_a_cell_are_refused() {
    let (fine, coarse) = (Target::array("fine", 0), Target::array("coarse", 0));
    let half = Division::Align { target: fine.clone(), ratio: Ratio::new(1, 2), offset: 0 };
    let split = |block| {
        let nodes = vec![node(fine.clone(), 0..12, Division::Cyclic(block)), node(coarse.clone(), 0..6, half.clone())];
        Divisions::new(nodes).unwrap().split(&coarse, &Topology::row(2).unwrap())
    };
    let error = split(3).unwrap_err().to_string();
    assert!(error.contains("blocks of 3 in turns by 1/2") && error.contains("a multiple of 2"), "{error}");
    assert!(split(4).is_ok());
}

#[test]
fn divisions_that_do_not_fit_the_devices_say_what_would() {
    let x = Target::array("x", 0);
    let error = |division: Division| {
        let divisions = Divisions::new(vec![node(x.clone(), 0..10, division)]).unwrap();
        divisions.split(&x, &Topology::row(3).unwrap()).unwrap_err().to_string()
    };
    assert!(error(Division::BlockOf(3)).contains("at least 4"));
    assert!(error(Division::BlockOf(0)).contains("at least 4"));
    assert!(error(Division::Cyclic(0)).contains("at least 1"));
    assert!(error(Division::Cyclic(u64::MAX)).contains("2^61"));
    assert!(error(Division::Weighted(vec![5, 5])).contains("3 devices"));
    assert!(error(Division::Weighted(vec![u64::MAX, 1, 10])).contains("together"));
    let second = Node { name: x.clone(), range: 0..10, division: Division::Block, over: 1 };
    let error = Divisions::new(vec![second]).unwrap().split(&x, &Topology::row(3).unwrap());
    assert!(matches!(error, Err(LayoutError::Topology(_))), "{error:?}");
}

// --- Topologies and arrays. ---

#[test]
fn grids_are_close_to_squares_and_hold_every_device_once() {
    assert!(Topology::row(0).is_err() && Topology::square(0).is_err() && Topology::grid(0, 0, 0).is_err());
    assert!(Topology::grid(2, 3, 5).is_err() && Topology::grid(usize::MAX, 2, 4).is_err());
    for devices in 1..200 {
        let square = Topology::square(devices).unwrap();
        let (rows, columns) = (square.along(0).unwrap(), square.along(1).unwrap());
        assert!(rows * columns == devices && rows >= columns);
        // No other grid is closer to a square.
        assert!((columns + 1..=devices / (columns + 1)).all(|c| !devices.is_multiple_of(c) || c > devices / c));
        let places: Vec<_> = (0..devices).map(|device| square.place(device)).collect();
        assert!((0..devices).all(|device| places[device] == [device / columns, device % columns]));
    }
    assert_eq!((Topology::row(3).unwrap().along(0), Topology::row(3).unwrap().along(1)), (Some(3), None));
}

fn blocks(extent: u64, dimension: usize, devices: usize, ghosts: Ghosts) -> AxisPlan {
    let name = Target::array("x", 0);
    let divided = vec![Node { name: name.clone(), range: 0..extent, division: Division::Block, over: dimension }];
    let row = if dimension == 0 { Topology::grid(devices, 1, devices) } else { Topology::grid(1, devices, devices) };
    let split = Divisions::new(divided).unwrap().split(&name, &row.unwrap()).unwrap();
    AxisPlan { extent, split, ghosts }
}

#[test]
fn arrays_that_cannot_be_are_refused() {
    let array = |axes: Vec<AxisPlan>| Array { element: 8, axes: axes.into_iter().collect() };
    let grid = Topology::grid(2, 2, 4).unwrap();
    let none = Ghosts::default();
    let error = |axes| array(axes).parts(&grid).unwrap_err().to_string();
    assert!(error(vec![blocks(4, 0, 2, none), blocks(4, 0, 2, none)]).contains("give each its own"));
    assert!(error(vec![blocks(4, 0, 3, none)]).contains("3 for 2 places"));
    assert!(error(vec![]).contains("at least one dimension"));
    assert!(error(vec![blocks(4, 0, 2, Ghosts::both(4, Edge::Reflecting))]).contains("one fewer"));
    assert!(error(vec![blocks(4, 0, 2, Ghosts::both(u64::MAX, Edge::None))]).contains("2^61"));
    assert!(error(vec![blocks(1 << 60, 0, 2, none), blocks(1 << 60, 1, 2, none)]).contains("larger than memory"));
    let cyclic = Owned::Cyclic(Cyclic::new(0..8, 0, 1, 2).unwrap());
    let halo = Part::new(8, [(8, cyclic, Ghosts::both(1, Edge::None))]).unwrap_err().to_string();
    assert!(halo.contains("CYCLIC"), "{halo}");
    assert!(Part::new(8, [(8, Owned::Block(0..9), none)]).is_err());
    // Owners that share some of their cells.
    let part = |range| Part::new(8, [(8, Owned::Block(range), none)]).unwrap();
    assert!(ghosts(&[part(0..5), part(4..8)], &[Sides::BOTH]).is_err());
    assert!(ghosts(&[part(0..5), part(5..8)], &[Sides::BOTH, Sides::BOTH]).is_err());
    let other = Part::new(8, [(9, Owned::Block(0..9), none)]).unwrap();
    assert!(moves(&[part(0..8)], &[other]).is_err());
}

#[test]
fn sets_of_blocks_that_cannot_be_are_refused() {
    for (block, every, end) in [(0, 2, 8), (3, 2, 8), (0, 0, 8), (1, u64::MAX, 8), (1, 2, u64::MAX)] {
        assert!(Cyclic::new(0..end, 0, block, every).is_err(), "{block} {every} {end}");
    }
    // A block may start anywhere.
    let cells =
        |start| Owned::Cyclic(Cyclic::new(1..12, start, 2, 5).unwrap()).blocks().map(|b| b.global).collect::<Vec<_>>();
    assert_eq!(cells(4), [4..6, 9..11]);
    assert_eq!(cells(1004), cells(4));
    assert_eq!(cells(5), [1..2, 5..7, 10..12]);
    #[expect(clippy::reversed_empty_ranges)]
    let inverted = Part::new(8, [(8, Owned::Block(5..2), Ghosts::default())]);
    assert!(inverted.is_err());
}

// --- Arrays of too many cells to visit each. ---

#[test]
fn lists_of_copies_do_not_grow_with_the_array() {
    let n: u64 = 1 << 20;
    let axes = vec![
        blocks(n, 0, 3, Ghosts::both(2, Edge::Periodic)),
        blocks(n, 1, 2, Ghosts::both(1, Edge::Reflecting)),
        AxisPlan { extent: n, split: Split::Full, ghosts: Ghosts::both(1, Edge::Periodic) },
    ];
    let array = Array { element: 4, axes: axes.into_iter().collect() };
    let parts = array.parts(&Topology::grid(3, 2, 6).unwrap()).unwrap();
    let transfers = ghosts(&parts, &[Sides::BOTH; 3]).unwrap();
    assert!(transfers.iter().map(|t| t.copies.len()).sum::<usize>() < 300);
    let ghost_cells: u128 = parts.iter().map(|p| p.bytes() as u128 / 4 - u128::from(p.owned_cells())).sum();
    // Dimension 1 reflects at the array's edges, so every part has all of its ghosts.
    assert_eq!(transfers.iter().map(|t| bytes_of(&t.copies) as u128).sum::<u128>(), ghost_cells * 4);
    for part in &parts {
        assert!(place(part).len() < 30 && collect(part).len() < 10);
        assert_eq!(bytes_of(&place(part)), part.bytes());
        assert_eq!(bytes_of(&collect(part)) as u64, part.owned_cells() * 4);
    }
    let again = moves(&parts, &parts).unwrap();
    assert_eq!((again.len(), again.iter().map(|t| t.copies.len()).sum::<usize>()), (6, 6));
}

#[test]
fn cyclic_arrays_of_any_length_are_a_few_strided_copies() {
    let n: u64 = (1 << 40) + 77;
    let parts = |devices: usize, block: u64| -> Vec<Part> {
        let name = Target::array("x", 0);
        let divisions = Divisions::new(vec![node(name.clone(), 0..n, Division::Cyclic(block))]).unwrap();
        let parts = owned(&divisions, &name, devices).into_iter().map(|o| Part::new(4, [(n, o, Ghosts::default())]));
        parts.collect::<Result<_, _>>().unwrap()
    };
    for (devices, block) in [(1, 1), (2, 1), (7, 3), (3, 1 << 33), (5, 1 << 41)] {
        let parts = parts(devices, block);
        assert_eq!(parts.iter().map(Part::owned_cells).sum::<u64>(), n);
        for part in &parts {
            assert!(place(part).len() <= 3 && collect(part).len() <= 3);
            assert_eq!(bytes_of(&place(part)), part.bytes());
            let last = part.owned_cells().checked_sub(1);
            let there = last.map(|last| part.axes()[0].global(last).unwrap());
            assert_eq!(there.map(|x| part.axes()[0].local(x)), last.map(Some));
        }
    }
    for (from, to) in [((2, 1), (3, 1)), ((4, 5), (3, 7)), ((3, 1), (2, 1 << 38)), ((5, 1 << 38), (2, 3))] {
        let transfers = moves(&parts(from.0, from.1), &parts(to.0, to.1)).unwrap();
        assert!(transfers.iter().map(|t| t.copies.len()).sum::<usize>() < 2000, "{from:?} {to:?}");
        assert_eq!(transfers.iter().map(|t| bytes_of(&t.copies) as u64).sum::<u64>(), n * 4);
    }
}

#[test]
fn a_box_of_whole_rows_is_one_run() {
    let array = Array {
        element: 8,
        axes: [blocks(100, 0, 4, Ghosts::both(1, Edge::None)), blocks(50, 1, 1, Ghosts::default())]
            .into_iter()
            .collect(),
    };
    let parts = array.parts(&Topology::grid(4, 1, 4).unwrap()).unwrap();
    assert_eq!(place(&parts[1]), [BoxCopy::row(24 * 400, 0, 27 * 400)]);
    assert_eq!(collect(&parts[1]), [BoxCopy::row(400, 25 * 400, 25 * 400)]);
    let transfers = ghosts(&parts, &[Sides::LEFT, Sides::NONE]).unwrap();
    let pairs: Vec<_> = transfers.iter().map(|t| (t.from_part, t.to_part, t.copies.clone())).collect();
    // The first part has no row before its own.
    let last_row = |rows: usize| vec![BoxCopy::row((rows - 1) * 400, 0, 400)];
    assert_eq!(pairs, [(0, 1, last_row(25)), (1, 2, last_row(26)), (2, 3, last_row(26))]);
}

// --- Which part a ghost is copied from. ---

#[test]
fn a_ghost_that_nobody_owns_is_left_alone() {
    let part = |range| Part::new(2, [(10, Owned::Block(range), Ghosts::both(3, Edge::Periodic))]).unwrap();
    let transfers = ghosts(&[part(1..4), part(6..9)], &[Sides::RIGHT]).unwrap();
    // Cells 4, 5, 9 and 0 have no owner.
    let row = |to: usize| vec![BoxCopy::row(6, to, 2)];
    assert_eq!(
        transfers.iter().map(|t| (t.from_part, t.to_part, t.copies.clone())).collect::<Vec<_>>(),
        [(1, 0, row(16)), (0, 1, row(16)),]
    );
}

#[test]
fn replicas_are_served_by_replicas_in_their_own_place() {
    let array = Array { element: 1, axes: [blocks(8, 0, 2, Ghosts::both(1, Edge::None))].into_iter().collect() };
    let parts = array.parts(&Topology::grid(2, 2, 4).unwrap()).unwrap();
    let pairs = |transfers: Vec<apportion::data::layout::Transfer>| -> Vec<_> {
        transfers.iter().map(|t| (t.from_part, t.to_part)).collect()
    };
    assert_eq!(pairs(ghosts(&parts, &[Sides::BOTH]).unwrap()), [(2, 0), (3, 1), (0, 2), (1, 3)]);
    // Parts 1 and 2 at home have all cells there: they need no copies, and the others copy from them.
    let home = |i: usize| if [1, 2].contains(&i) { parts[i].at_home().unwrap() } else { parts[i].clone() };
    let mixed: Vec<Part> = (0..4).map(home).collect();
    assert_eq!(pairs(ghosts(&mixed, &[Sides::BOTH]).unwrap()), [(2, 0), (1, 3)]);
}

#[test]
fn a_home_without_ghosts_past_its_edges_can_be_the_array_itself() {
    let none = Ghosts::both(2, Edge::None);
    assert!(Part::home(4, [(5, none), (6, Ghosts::default())]).unwrap().lies_as_the_array());
    let padded = Part::home(4, [(5, none), (6, Ghosts { left: 0, ..Ghosts::both(1, Edge::Periodic) })]).unwrap();
    assert!(!padded.lies_as_the_array());
    assert_eq!(padded.stored_extents().to_vec(), [5, 7]);
    let part = Part::new(4, [(5, Owned::Block(1..3), none)]).unwrap();
    assert_eq!((part.axes()[0].window(), part.lies_as_the_array()), (Some(0..5), true));
    assert_eq!(part.at_home().unwrap().axes()[0].needed(), 0..5);
}

// --- What a copy costs. ---

#[test]
fn many_short_runs_are_packed_and_a_single_one_never() {
    let rates = CopyRates {
        latency: Seconds(1e-5),
        per_run: Seconds(1e-7),
        transfer: BytesPerSecond(1e10),
        pack: BytesPerSecond(1e11),
        unpack: BytesPerSecond(2e11),
    };
    let column = |run: usize, count: usize| {
        let mut copy = BoxCopy::row(0, 0, run);
        (copy.counts, copy.from.strides, copy.to.strides) = ([count, 1], [1 << 16, count << 16], [run, run * count]);
        copy
    };
    assert_eq!(cheaper(&[column(8, 100_000)], &rates).0, Means::Packed);
    assert_eq!(cheaper(&[column(40_000, 10)], &rates).0, Means::Strided);
    assert_eq!(cheaper(&[BoxCopy::row(0, 0, 8)], &rates).0, Means::Strided);
    assert_eq!(cheaper(&[BoxCopy::row(0, 0, 8), BoxCopy::row(100, 8, 8)], &rates).0, Means::Packed);
    let close = |found: Seconds, expected: f64| assert!((found.0 - expected).abs() < 1e-12, "{found:?} {expected}");
    let bytes = 800_000.0;
    close(cheaper(&[column(8, 100_000)], &rates).1, 1e-5 + bytes / 1e10 + bytes / 1e11 + bytes / 2e11);
    close(cheaper(&[column(40_000, 10)], &rates).1, 1e-5 + 10.0 * 1e-7 + 400_000.0 / 1e10);
}
