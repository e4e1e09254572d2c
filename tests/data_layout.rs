//! Parts of arrays and the copies between them, compared with an oracle that works cell by cell.

mod layout_oracle;

use apportion::data::layout::{
    BoxCopy, Part, Sides, Strided, Topology, apply_all, bytes_of, collect, ghosts, moves, pack, packed_apart, place,
    unpack,
};
use layout_oracle::{Case, Cell, Expected, UNTOUCHED, asked, cases, in_all, product, touch};
use proptest::prelude::*;

fn sides(count: usize) -> impl Strategy<Value = Vec<Sides>> {
    let one = prop::sample::select(vec![Sides::NONE, Sides::LEFT, Sides::RIGHT, Sides::BOTH]);
    prop::collection::vec(one, count)
}

fn cases_and_sides() -> impl Strategy<Value = (Case, Vec<Sides>)> {
    cases().prop_flat_map(|case| {
        let dims = case.axes.len();
        (Just(case), sides(dims))
    })
}

fn is_owned(expected: &Expected, cell: &Cell) -> bool {
    in_all(&expected.owned, cell)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn a_part_stores_the_cells_it_should_where_it_should(case in cases()) {
        for (device, part) in case.parts(0).iter().enumerate() {
            let expected = case.expected(0, device);
            for (j, axis) in part.axes().iter().enumerate() {
                let stored: Vec<i64> = (0..axis.stored()).map(|local| axis.global(local).unwrap()).collect();
                prop_assert_eq!(&stored, &expected.stored[j]);
                prop_assert_eq!(axis.global(axis.stored()), None);
                for x in -5..20 {
                    let at = stored.iter().position(|&y| y == x);
                    prop_assert_eq!(axis.local(x), at.map(|at| at as u64), "cell {} of dimension {}", x, j);
                    if expected.needed[j].contains(&x) {
                        prop_assert_eq!(axis.source(x).map(|y| y as i64), case.axes[j].source(x));
                    }
                }
                let owned = axis.owned();
                let listed: Vec<i64> = owned.blocks().flat_map(|block| block.global).map(|x| x as i64).collect();
                prop_assert_eq!(&listed, &expected.owned[j]);
                prop_assert_eq!(owned.len(), listed.len() as u64);
                for block in owned.blocks() {
                    prop_assert_eq!(owned.local(block.global.start), Some(block.local));
                    prop_assert_eq!(owned.global(block.local), Some(block.global.start));
                }
            }
            let extents: Vec<u64> = expected.stored.iter().map(|list| list.len() as u64).collect();
            prop_assert_eq!(part.stored_extents().to_vec(), extents);
            prop_assert_eq!(part.owned_cells(), product(&expected.owned).len() as u64);
            prop_assert_eq!(part.bytes(), product(&expected.stored).len() * case.element);
            for (k, cell) in product(&expected.stored).iter().enumerate() {
                prop_assert_eq!(part.index(cell), Some(k as u64));
            }
        }
    }

    #[test]
    fn each_cell_has_one_owner_for_each_replica(case in cases()) {
        let parts = case.parts(0);
        let bound: usize = case.axes.iter().filter_map(|axis| case.topology.along(axis.over?)).product();
        let replicas = case.topology.devices() / bound;
        let lists: Vec<Vec<i64>> = case.extents().iter().map(|&n| (0..n as i64).collect()).collect();
        for cell in product(&lists) {
            let owns = |part: &&Part| part.axes().iter().zip(&cell).all(|(axis, &x)| axis.owned().contains(x as u64));
            prop_assert_eq!(parts.iter().filter(owns).count(), replicas);
        }
    }

    #[test]
    fn what_is_placed_is_right_and_comes_back(case in cases()) {
        let host = case.host();
        let expected = case.buffers(0, |device, cell| in_all(&device.needed, cell));
        let mut buffers = case.buffers(0, |_, _| false);
        let mut back = vec![UNTOUCHED; host.len()];
        for (device, part) in case.parts(0).iter().enumerate() {
            let buffer = &mut buffers[case.buffer(device)];
            let mut touched = vec![0; buffer.len()];
            for copy in place(part) {
                copy.apply(&host, buffer).unwrap();
                touch(&copy, &mut touched);
            }
        }
        prop_assert_eq!(&buffers, &expected);
        for (device, part) in case.parts(0).iter().enumerate() {
            let mut touched = vec![0; host.len()];
            for copy in collect(part) {
                copy.apply(&buffers[case.buffer(device)], &mut back).unwrap();
                touch(&copy, &mut touched);
            }
            let owned: u64 = touched.iter().map(|&count| u64::from(count)).sum();
            prop_assert_eq!(owned, part.owned_cells() * case.element as u64);
        }
        prop_assert_eq!(back, host);
    }

    #[test]
    fn the_home_has_the_whole_array_and_its_edges(case in cases()) {
        let (host, home) = (case.host(), case.array(0).home().unwrap());
        let mut all = Case { topology: Topology::row(1).unwrap(), home: vec![true], ..case.clone() };
        all.axes.iter_mut().for_each(|axis| axis.over = None);
        let expected = all.buffers(0, |device, cell| in_all(&device.needed, cell));
        let mut buffer = vec![UNTOUCHED; home.bytes()];
        apply_all(&place(&home), &host, &mut buffer).unwrap();
        prop_assert_eq!(&buffer, &expected[0]);
        let mut back = vec![UNTOUCHED; host.len()];
        apply_all(&collect(&home), &buffer, &mut back).unwrap();
        prop_assert_eq!(back, host);
    }

    #[test]
    fn each_asked_ghost_gets_its_owners_value_and_nothing_else_changes((case, sides) in cases_and_sides()) {
        let parts = case.parts(0);
        let transfers = ghosts(&parts, &sides).unwrap();
        let before = case.buffers(0, is_owned);
        let expected = case.buffers(0, |device, cell| is_owned(device, cell) || asked(device, cell, &sides));
        let mut buffers = before.clone();
        case.transfer(&transfers, &before, &mut buffers);
        prop_assert_eq!(&buffers, &expected);
        // Repeating the transfers changes nothing.
        let after = buffers.clone();
        case.transfer(&transfers, &after, &mut buffers);
        prop_assert_eq!(&buffers, &expected);
        for transfer in &transfers {
            prop_assert!(!parts[transfer.from_part].is_empty() && !parts[transfer.to_part].is_empty());
        }
    }

    #[test]
    fn left_then_right_is_both(case in cases()) {
        let parts = case.parts(0);
        let all = |sides| ghosts(&parts, &vec![sides; case.axes.len()]).unwrap();
        let before = case.buffers(0, is_owned);
        let (mut both, mut one) = (before.clone(), before.clone());
        case.transfer(&all(Sides::BOTH), &before, &mut both);
        case.transfer(&all(Sides::LEFT), &before, &mut one);
        let between = one.clone();
        case.transfer(&all(Sides::RIGHT), &between, &mut one);
        prop_assert_eq!(&one, &both);
        // Dimension by dimension gives the same.
        let mut each = before.clone();
        for j in 0..case.axes.len() {
            let mut sides = vec![Sides::NONE; case.axes.len()];
            sides[j] = Sides::BOTH;
            case.transfer(&ghosts(&parts, &sides).unwrap(), &before, &mut each);
        }
        prop_assert_eq!(&each, &both);
    }

    #[test]
    fn moves_bring_every_owned_cell_and_nothing_else(case in cases()) {
        let transfers = moves(&case.parts(0), &case.parts(1)).unwrap();
        let old = case.buffers(0, is_owned);
        let mut new = case.buffers(1, |_, _| false);
        let mut expected = case.buffers(1, is_owned);
        // The home is one buffer for both layouts, so its old contents stay.
        if let Some(home) = case.home.iter().position(|&home| home) {
            new[home].clone_from(&old[home]);
            for (byte, &was) in expected[home].iter_mut().zip(&old[home]) {
                *byte = if *byte == UNTOUCHED { was } else { *byte };
            }
        }
        case.transfer(&transfers, &old, &mut new);
        prop_assert_eq!(new, expected);
        let back = moves(&case.parts(0), &case.parts(0)).unwrap();
        prop_assert!(back.iter().all(|t| t.from_part == t.to_part), "cells that stay on their device left it");
    }

    #[test]
    fn packed_copies_do_the_same((case, sides) in cases_and_sides()) {
        let before = case.buffers(0, is_owned);
        for transfer in ghosts(&case.parts(0), &sides).unwrap() {
            let (from, to) = (case.buffer(transfer.from_part), case.buffer(transfer.to_part));
            let (mut direct, mut packed) = (before[to].clone(), before[to].clone());
            apply_all(&transfer.copies, &before[from], &mut direct).unwrap();
            // Margins on both sides show a byte too many.
            let bytes = bytes_of(&transfer.copies);
            let mut dense = vec![UNTOUCHED; bytes + 16];
            pack(&transfer.copies, &before[from], &mut dense).unwrap();
            prop_assert!(dense[bytes..].iter().all(|&byte| byte == UNTOUCHED));
            unpack(&transfer.copies, &dense, &mut packed).unwrap();
            prop_assert_eq!(&packed, &direct);
            let mut touched = vec![0; bytes];
            packed_apart(&transfer.copies).0.iter().for_each(|copy| touch(copy, &mut touched));
            prop_assert!(touched.iter().all(|&count| count == 1), "the dense buffer has gaps");
            // Copies within one buffer give the same.
            if from == to {
                let mut within = before[to].clone();
                transfer.copies.iter().for_each(|copy| copy.apply_within(&mut within).unwrap());
                prop_assert_eq!(&within, &direct);
            }
        }
    }

    #[test]
    fn copies_past_the_end_are_errors_that_change_nothing(
        run in 0usize..5, counts in [0usize..4, 0usize..4], offsets in (0usize..40, 0usize..40),
        strides in [0usize..9, 0usize..20], huge in 0u8..4,
    ) {
        let mut copy = BoxCopy {
            from: Strided { offset: offsets.0, strides },
            to: Strided { offset: offsets.1, strides },
            run,
            counts,
        };
        match huge {
            1 => copy.from.offset = usize::MAX - 1,
            2 => copy.to.strides[1] = usize::MAX / 2,
            _ => {}
        }
        let end = |side: Strided| {
            let last = (0..2).map(|k| (counts[k] as u128).saturating_sub(1) * side.strides[k] as u128).sum::<u128>();
            side.offset as u128 + last + run as u128
        };
        let nothing = run == 0 || counts.contains(&0);
        let fits = nothing || end(copy.from) <= 50 && end(copy.to) <= 40;
        let from: Vec<u8> = (0..50).collect();
        let mut to = vec![UNTOUCHED; 40];
        prop_assert_eq!(copy.apply(&from, &mut to).is_ok(), fits);
        prop_assert_eq!(to.iter().any(|&byte| byte != UNTOUCHED), fits && !nothing);
        let mut within: Vec<u8> = (0..40).collect();
        let fits = nothing || end(copy.from) <= 40 && end(copy.to) <= 40;
        prop_assert_eq!(copy.apply_within(&mut within).is_ok(), fits);
    }
}
