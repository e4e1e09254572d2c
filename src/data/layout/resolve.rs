//! Resolves chains of alignments down to their roots, the nodes that have a division of their own.

use super::divide::{divided, image, no_dimension};
use super::{Chain, Division, LayoutError, MAX_EXTENT, Split, Target, Topology};
use std::collections::BTreeMap;
use std::ops::Range;

/// A dimension of an array, or a loop, and how it is divided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its name.
    pub name: Target,
    /// Its cells, from 0, or its iterations.
    pub range: Range<u64>,
    /// How it is divided.
    pub division: Division,
    /// The topology's dimension that it is divided over. An aligned node ignores it and takes its root's.
    pub over: usize,
}

/// The root that a node follows, and the alignments in between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aligned {
    /// Index of the root among the nodes; a node with a division of its own is its own root.
    pub root: usize,
    /// The alignments from the root to the node.
    pub chain: Chain,
}

/// All loops and dimensions that are divided together, each with its root. Loops may follow arrays, and arrays may follow
/// loops.
#[derive(Clone, Debug)]
pub struct Divisions {
    nodes: Vec<Node>,
    by_name: BTreeMap<Target, usize>,
    aligned: Vec<Aligned>,
}

impl Divisions {
    /// Finds each node's root. Circles, missing targets and impossible divisions are errors.
    pub fn new(nodes: Vec<Node>) -> Result<Self, LayoutError> {
        let mut by_name = BTreeMap::new();
        for (i, node) in nodes.iter().enumerate() {
            check(node)?;
            if by_name.insert(node.name.clone(), i).is_some() {
                return Err(LayoutError::Twice { name: node.name.to_string() });
            }
        }
        let aligned = (0..nodes.len()).map(|i| follow(&nodes, &by_name, i)).collect::<Result<_, _>>()?;
        Ok(Self { nodes, by_name, aligned })
    }

    /// The nodes, in the order in which they were given.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The root and chain that `name` follows.
    pub fn aligned(&self, name: &Target) -> Result<Aligned, LayoutError> {
        self.index(name).map(|i| self.aligned[i].clone())
    }

    /// Sets the division that a policy decided for an AUTO loop, the first time or anew: the number of iterations for each
    /// place along its dimension of the topology. Everything that follows the loop changes too.
    pub fn decide(&mut self, name: &Target, counts: Vec<u64>) -> Result<(), LayoutError> {
        let i = self.index(name)?;
        match self.nodes[i].division {
            Division::Auto | Division::Weighted(_) => {
                self.nodes[i].division = Division::Weighted(counts);
                Ok(())
            }
            _ => Err(LayoutError::Division {
                name: name.to_string(),
                reason: "its division is given; only that of AUTO can be decided".into(),
            }),
        }
    }

    /// Which device owns which part of `name`.
    pub fn split(&self, name: &Target, topology: &Topology) -> Result<Split, LayoutError> {
        let i = self.index(name)?;
        let Aligned { root, chain } = &self.aligned[i];
        let (node, root) = (&self.nodes[i], &self.nodes[*root]);
        if root.division == Division::Full {
            return Ok(Split::Full);
        }
        let dimension = root.over;
        let devices = topology.along(dimension).ok_or_else(|| no_dimension(dimension, topology))?;
        let owned = divided(&root.name, &root.range, &root.division, devices)?;
        let owned = if root.name == node.name { owned } else { image(&node.name, &node.range, &owned, chain)? };
        Ok(Split::Over { dimension, owned })
    }

    fn index(&self, name: &Target) -> Result<usize, LayoutError> {
        let missing = || LayoutError::Mismatch(format!("there is no {name}"));
        self.by_name.get(name).copied().ok_or_else(missing)
    }
}

fn check(node: &Node) -> Result<(), LayoutError> {
    let wrong = |reason: &str| Err(LayoutError::Division { name: node.name.to_string(), reason: reason.into() });
    if node.range.start > node.range.end {
        return wrong("its range ends before it starts");
    }
    if node.range.end > MAX_EXTENT {
        return Err(LayoutError::TooLarge(format!("{} ends at {}; it can be 2^61", node.name, node.range.end)));
    }
    match (&node.name, &node.division) {
        (Target::Array { .. }, _) if node.range.start != 0 => wrong("the cells of a dimension start at 0"),
        (Target::Loop(_), Division::Full) => wrong("a loop cannot be FULL: every device would run all of it"),
        (Target::Array { .. }, Division::Auto) => {
            wrong("AUTO is for loops; divide the loop by AUTO and align the array with it")
        }
        (_, Division::Align { ratio, .. }) if !ratio.is_valid() => {
            wrong("a ratio of 0 leaves it without cells; it must be at least 1, or a fraction of two numbers that are")
        }
        (_, Division::RowsAt { offsets, .. }) => offsets
            .check(node.range.end)
            .map_err(|reason| LayoutError::Division { name: node.name.to_string(), reason }),
        _ => Ok(()),
    }
}

/// Follows the chain from node `start` to its root.
fn follow(nodes: &[Node], by_name: &BTreeMap<Target, usize>, start: usize) -> Result<Aligned, LayoutError> {
    let (mut chain, mut steps) = (vec![start], Vec::new());
    let named = |chain: &[usize]| {
        let names: Vec<String> = chain.iter().map(|&i| nodes[i].name.to_string()).collect();
        names.join(" -> ")
    };
    loop {
        let at = chain[chain.len() - 1];
        let Some((target, step)) = nodes[at].division.followed() else {
            if nodes[at].division == Division::Full && matches!(nodes[start].name, Target::Loop(_)) {
                return Err(LayoutError::Division {
                    name: nodes[start].name.to_string(),
                    reason: format!("it follows {}, which is FULL: every device would run all of it", named(&chain)),
                });
            }
            let too_large =
                || LayoutError::TooLarge(format!("alignment {}: ratio or offset is past 2^64", named(&chain)));
            let chain = Chain::new(steps.into_iter().rev()).ok_or_else(too_large)?;
            return Ok(Aligned { root: at, chain });
        };
        steps.push(step);
        let Some(&next) = by_name.get(target) else {
            return Err(LayoutError::Dangling { chain: named(&chain), missing: target.to_string() });
        };
        let circle = chain.contains(&next);
        chain.push(next);
        if circle {
            return Err(LayoutError::Circle { chain: named(&chain) });
        }
    }
}
