//! All links at once: which of them get less together than alone, and what they get.

use super::streams::Way;
use apportion::model::machine::{Figure, Group};
use apportion_cli::grouping::three_digits;
use std::collections::BTreeMap;

/// Links that get less than this part of their rate alone share a capacity.
const SHARED_BELOW: f64 = 0.9;

/// The directions that are measured.
pub const WAYS: [Way; 3] = [Way::To, Way::From, Way::Both];

/// A capacity that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Indices of the links in the list.
    pub links: Vec<usize>,
    /// Bytes per second of all together.
    pub rate: f64,
    /// The sum of the rates that each link, or each group among them, gets without the others.
    pub apart: f64,
}

/// Finds which of `links` share a capacity. `rate` measures some of them at once: bytes per second of all together.
///
/// Links that slow each other pairwise form a group, with all links that slow any of them. If all links together get less than
/// the sum of groups and other links, there is a capacity above them.
///
/// # Errors
/// Those of `rate`.
pub fn capacities<E>(links: usize, mut rate: impl FnMut(&[usize]) -> Result<f64, E>) -> Result<Vec<Found>, E> {
    let alone: Vec<f64> = (0..links).map(|link| rate(&[link])).collect::<Result<_, _>>()?;
    let apart = |members: &[usize]| members.iter().map(|&link| alone[link]).sum::<f64>();
    // The group of each link, named by its first member.
    let mut group: Vec<usize> = (0..links).collect();
    for first in 0..links {
        for second in first + 1..links {
            // With two links the only pair is all of them, measured below.
            if links > 2 && rate(&[first, second])? < SHARED_BELOW * apart(&[first, second]) {
                let (kept, joined) = (group[first].min(group[second]), group[first].max(group[second]));
                group.iter_mut().filter(|name| **name == joined).for_each(|name| *name = kept);
            }
        }
    }
    let mut found: Vec<Found> = Vec::new();
    let mut expected = 0.0;
    for name in 0..links {
        let members: Vec<usize> = (0..links).filter(|&link| group[link] == name).collect();
        let of_members = apart(&members);
        let together = if members.len() > 1 && members.len() < links { rate(&members)? } else { of_members };
        if together < SHARED_BELOW * of_members {
            found.push(Found { links: members, rate: together, apart: of_members });
            expected += together;
        } else {
            expected += of_members;
        }
    }
    if links > 1 {
        let all: Vec<usize> = (0..links).collect();
        let together = rate(&all)?;
        if together < SHARED_BELOW * expected {
            found.push(Found { links: all, rate: together, apart: expected });
        }
    }
    Ok(found)
}

/// The capacities found in each direction as groups of the description: one for each set of devices with these `ids`.
pub fn groups(found: &[(Way, Vec<Found>)], ids: &[usize], note: impl Fn(String) -> String) -> Vec<Group> {
    let mut by_devices: BTreeMap<Vec<usize>, Group> = BTreeMap::new();
    for (way, capacities) in found {
        for Found { links, rate, apart } in capacities {
            let devices: Vec<usize> = links.iter().map(|&link| ids[link]).collect();
            let all = links.len() == ids.len();
            let group = by_devices.entry(devices.clone()).or_insert_with(|| {
                let list: Vec<_> = devices.iter().map(usize::to_string).collect();
                let name = if all { "all links".to_owned() } else { format!("links of {}", list.join(" and ")) };
                Group { name, devices, to_gb_per_s: None, from_gb_per_s: None, both_gb_per_s: None }
            });
            let what = note(format!("copies at once; one by one {} GB/s", three_digits(apart / 1e9)));
            let figure = Figure::measured(super::four_digits(rate / 1e9)).with_note(what);
            match way {
                Way::To => group.to_gb_per_s = Some(figure),
                Way::From => group.from_gb_per_s = Some(figure),
                Way::Both | Way::Inside => group.both_gb_per_s = Some(figure),
            }
        }
    }
    by_devices.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    /// Links of these rates behind capacities: the members of one get at most its rate, in proportion.
    fn machine(rates: Vec<f64>, shared: Vec<(Vec<usize>, f64)>) -> impl FnMut(&[usize]) -> Result<f64, Infallible> {
        move |active: &[usize]| {
            let mut got: Vec<(usize, f64)> = active.iter().map(|&link| (link, rates[link])).collect();
            for (members, capacity) in &shared {
                let sum: f64 = got.iter().filter(|(link, _)| members.contains(link)).map(|(_, rate)| rate).sum();
                if sum > *capacity {
                    let part = capacity / sum;
                    got.iter_mut().filter(|(link, _)| members.contains(link)).for_each(|(_, rate)| *rate *= part);
                }
            }
            Ok(got.iter().map(|(_, rate)| rate).sum())
        }
    }

    fn found(rates: &[f64], shared: &[(&[usize], f64)]) -> Vec<(Vec<usize>, f64)> {
        let shared = shared.iter().map(|(members, rate)| (members.to_vec(), *rate)).collect();
        let found = capacities(rates.len(), machine(rates.to_vec(), shared)).unwrap();
        found.into_iter().map(|one| (one.links, (one.rate * 1e6).round() / 1e6)).collect()
    }

    #[test]
    fn links_of_their_own_are_no_group() {
        assert_eq!(found(&[], &[]), []);
        assert_eq!(found(&[10.0], &[]), []);
        assert_eq!(found(&[10.0, 20.0, 5.0], &[]), []);
        // 5 % less is noise.
        assert_eq!(found(&[10.0, 10.0], &[(&[0, 1], 19.0)]), []);
    }

    #[test]
    fn two_boards_with_two_links_each_are_two_groups() {
        let boards: [(&[usize], f64); 2] = [(&[0, 2], 12.0), (&[1, 3], 14.0)];
        assert_eq!(found(&[10.0; 4], &boards), [(vec![0, 2], 12.0), (vec![1, 3], 14.0)]);
        assert_eq!(found(&[10.0; 2], &[(&[0, 1], 12.0)]), [(vec![0, 1], 12.0)]);
    }

    #[test]
    fn what_lies_above_the_groups_is_found_too() {
        let shared: [(&[usize], f64); 3] = [(&[0, 1], 12.0), (&[2, 3], 12.0), (&[0, 1, 2, 3, 4], 25.0)];
        let expected = [(vec![0, 1], 12.0), (vec![2, 3], 12.0), (vec![0, 1, 2, 3, 4], 25.0)];
        assert_eq!(found(&[10.0; 5], &shared), expected);
        // Only all of them together exceed the capacity.
        assert_eq!(found(&[10.0; 4], &[(&[0, 1, 2, 3], 30.0)]), [(vec![0, 1, 2, 3], 30.0)]);
        // Three at one port: each pair slows the other.
        assert_eq!(found(&[10.0; 4], &[(&[1, 2, 3], 11.0)]), [(vec![1, 2, 3], 11.0)]);
    }

    #[test]
    fn the_ways_of_one_set_of_devices_are_one_group() {
        let one = |rate: f64| vec![Found { links: vec![0, 1], rate, apart: 2e10 }];
        let found = [(Way::To, one(1.2e10)), (Way::From, Vec::new()), (Way::Both, one(1.5e10))];
        let groups = groups(&found, &[1, 4], |what| what);
        assert_eq!(groups.len(), 1);
        let group = &groups[0];
        assert_eq!((group.devices.as_slice(), group.name.as_str()), (&[1, 4][..], "all links"));
        let value = |figure: &Option<Figure>| figure.as_ref().map(|figure| figure.value);
        let values = [&group.to_gb_per_s, &group.from_gb_per_s, &group.both_gb_per_s].map(value);
        assert_eq!(values, [Some(12.0), None, Some(15.0)]);
        assert!(group.to_gb_per_s.as_ref().unwrap().note.as_ref().unwrap().contains("one by one 20.0 GB/s"));
    }
}
