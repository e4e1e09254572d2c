//! The registers of a work-item of a strip: which parts of rows it reads, when, and by which pointers.

use crate::entry::counter;
use crate::strip_text::{Text, vector};
use crate::strips::{Row, Way};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The part of a row that is read at once: the work-item's own columns, or one beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    Vector,
    At(i64),
}

/// A part of a row in registers.
pub struct Unit {
    pub row: usize,
    pub what: What,
    /// The condition under which it is read; `None`: always.
    pub need: Option<String>,
    pub moves: bool,
    /// The unit whose value this one takes over in the next row.
    pub next: Option<usize>,
    /// When it must be read all the same, as that unit was not.
    pub again: Option<String>,
    /// Whether conditions determine its distance.
    pub elsewhere: bool,
}

/// Ways to an element, for one column.
type Ways<'p> = (&'p [Way], i64);

impl Text<'_, '_, '_, '_> {
    // --- Pointers. ---

    /// A pointer for each array and step, and the distances of its other rows from it.
    pub fn cursors(&mut self) {
        let plan = self.plan;
        let (k, _, _) = counter(self.emit, plan.columns);
        let mut heads: Vec<usize> = Vec::new();
        for (at, row) in plan.rows.iter().enumerate() {
            let same = |other: &&usize| plan.rows[**other].array == row.array && plan.rows[**other].step == row.step;
            let info = &self.emit.f.arrays[row.array];
            let (of, constant) = (info.name.clone(), if info.mutable { "" } else { "const " });
            if let Some(&head) = heads.iter().find(same) {
                let distance = self.emit.sum(&(&row.rest - &plan.rows[head].rest), 0);
                self.line(&format!("const ap_i64 ap_d{at} = {distance};"));
                self.cursors.push((self.cursors[head].0.clone(), Some(format!("ap_d{at}"))));
            } else {
                heads.push(at);
                let (ty, start) = (info.ty.c(), self.emit.sum(&row.rest, 0));
                self.line(&format!("AP_GLOBAL {constant}{ty} *ap_p{at} = {of} + ({start} + {k} - {of}_first);"));
                let step = self.emit.sum(&row.step, 0);
                self.line(&format!("const ap_i64 ap_step{at} = {step};"));
                self.cursors.push((format!("ap_p{at}"), None));
            }
        }
    }

    pub fn pointer(&self, row: usize, offset: i64) -> String {
        let (name, distance) = &self.cursors[row];
        let mut text = name.clone();
        if let Some(distance) = distance {
            let _ = write!(text, " + {distance}");
        }
        match offset {
            0 => {}
            1.. => {
                let _ = write!(text, " + {offset}");
            }
            _ => {
                let _ = write!(text, " - {}", -offset);
            }
        }
        text
    }

    /// The condition that vectors are read and written at multiples of their size.
    pub fn aligned(&self) -> String {
        let plan = self.plan;
        if !self.vectors {
            return if plan.instead.is_empty() { "true".into() } else { "ap_regular".into() };
        }
        let vectors = self.units.iter().enumerate().filter(|(_, unit)| unit.what == What::Vector);
        let moved: BTreeSet<(usize, String)> = vectors
            .map(|(at, unit)| (unit.row, self.place(at)))
            .chain(plan.stores.iter().map(|&(_, row)| (row, self.pointer(row, 0))))
            .collect();
        let mut list = Vec::new();
        if !plan.instead.is_empty() {
            list.push("ap_regular".to_owned());
        }
        for (row, place) in moved {
            let ty = self.emit.f.arrays[plan.rows[row].array].ty;
            let last = ty.bytes() * plan.each as i128 - 1;
            list.push(format!("((ap_u64)({place}) & {last}) == 0"));
            if let (name, None) = &self.cursors[row] {
                list.push(format!("(ap_step{} & (AP_EACH - 1)) == 0", &name[4..]));
            }
        }
        if list.is_empty() { "true".into() } else { list.join(" && ") }
    }

    // --- Conditions. ---

    pub fn fixed(&self, condition: usize) -> Option<bool> {
        self.conditions[condition].parse().ok()
    }

    pub fn conditions(&mut self, moving: bool) {
        let plan = self.plan;
        let list: Vec<usize> = (0..plan.conditions.len())
            .filter(|&at| plan.conditions[at].moves == moving && self.fixed(at).is_none())
            .collect();
        if list.is_empty() {
            return;
        }
        let (k, _, _) = counter(self.emit, plan.columns);
        let (name, ty) = (self.emit.name(plan.columns.var), self.emit.f.vars[plan.columns.var].ty.c());
        for at in &list {
            self.line(&format!("bool ap_c{at}[AP_EACH];"));
        }
        self.open("AP_UNROLL for (int ap_k = 0; ap_k < AP_EACH; ap_k++) {");
        self.line(&format!("const {ty} {name} = ({ty})({k} + ap_k);"));
        for at in list {
            let text = self.conditions[at].clone();
            self.line(&format!("ap_c{at}[ap_k] = {text};"));
        }
        self.close();
    }

    /// The condition under which column `k` takes a way: `None` if it always does, an empty text if it never does.
    pub fn way(&self, way: &Way, k: &str) -> Option<String> {
        let mut parts = Vec::new();
        for (at, holds) in way {
            match self.fixed(*at) {
                Some(fixed) if fixed == *holds => {}
                Some(_) => return Some(String::new()),
                None => parts.push(format!("{}ap_c{at}[{k}]", if *holds { "" } else { "!" })),
            }
        }
        if parts.is_empty() { None } else { Some(parts.join(" && ")) }
    }

    /// The name of the condition that some column takes one of its ways, `0` if none ever does; and whether it changes between
    /// rows.
    pub fn need(&mut self, list: &[Ways<'_>]) -> (Option<String>, bool) {
        let mut parts: BTreeSet<String> = BTreeSet::new();
        let mut moves = false;
        for (ways, k) in list {
            for way in *ways {
                let Some(text) = self.way(way, &k.to_string()) else { return (None, false) };
                moves |= way.iter().any(|(at, _)| self.plan.conditions[*at].moves && self.fixed(*at).is_none());
                if !text.is_empty() {
                    parts.insert(if text.contains("&&") { format!("({text})") } else { text });
                }
            }
        }
        if parts.is_empty() {
            return (Some("0".into()), false);
        }
        let text = parts.into_iter().collect::<Vec<_>>().join(" || ");
        if let Some((_, name, moves)) = self.needs.iter().find(|(of, ..)| *of == text) {
            return (Some(name.clone()), *moves);
        }
        let name = format!("ap_n{}", self.needs.len());
        self.needs.push((text, name.clone(), moves));
        (Some(name), moves)
    }

    pub fn needs(&mut self, moving: bool) {
        let list: Vec<String> = self
            .needs
            .iter()
            .filter(|(.., moves)| *moves == moving)
            .map(|(text, name, _)| format!("const bool {name} = {text};"))
            .collect();
        list.iter().for_each(|line| self.line(line));
        self.masks(moving);
    }

    // --- Registers. ---

    pub fn plan_units(&mut self) {
        let plan = self.plan;
        let each = self.each as i64;
        let mut units: BTreeMap<(usize, What), Vec<Ways<'_>>> = BTreeMap::new();
        self.low = vec![0; plan.rows.len()];
        for window in &plan.windows {
            self.low[window.row] = self.low[window.row].min(window.offset);
            for k in 0..each {
                let at = k + window.offset;
                let what = if self.vectors && (0..each).contains(&at) { What::Vector } else { What::At(at) };
                units.entry((window.row, what)).or_default().push((&window.ways, k));
            }
        }
        for ((row, what), list) in units {
            let (need, moves) = self.need(&list);
            self.units.push(Unit { row, what, need, moves, next: None, elsewhere: false, again: None });
        }
        for at in 0..self.units.len() {
            self.units[at].elsewhere = self.alone(at).is_some();
        }
        for other in &plan.others {
            if self.way(&other.way, "ap_k").is_some_and(|text| !text.is_empty()) {
                self.mask(&other.way);
            }
        }
        for at in 0..self.units.len() {
            let (row, what) = (self.units[at].row, self.units[at].what);
            let Some(next) = self.next(row) else { continue };
            let Some(other) = self.units.iter().position(|unit| unit.row == next && unit.what == what) else {
                continue;
            };
            let (one, two) = (&self.units[at], &self.units[other]);
            if one.elsewhere
                || two.elsewhere
                || one.moves
                || two.moves
                || one.need.as_deref() == Some("0")
                || two.need.as_deref() == Some("0")
            {
                continue;
            }
            let again = match (&one.need, &two.need) {
                (_, None) => None,
                (None, Some(two)) => Some(format!("!{two}")),
                (Some(one), Some(two)) if one == two => None,
                (Some(one), Some(two)) => Some(format!("{one} && !{two}")),
            };
            self.units[at].next = Some(other);
            self.units[at].again = again;
        }
    }

    /// The index in `instead` of the only window that a unit serves, and the unit's column, if it can be elsewhere.
    fn alone(&self, at: usize) -> Option<(usize, i64)> {
        let Unit { row, what, .. } = self.units[at];
        let plan = self.plan;
        let users = plan.windows.iter().enumerate().filter(|(_, window)| window.row == row);
        let mut users = users.filter(|(_, window)| match what {
            What::Vector => true,
            What::At(place) => (0..self.each as i64).contains(&(place - window.offset)),
        });
        let (Some((at, window)), None) = (users.next(), users.next()) else { return None };
        let instead = plan.instead.iter().position(|instead| instead.window == at)?;
        match what {
            What::Vector if window.offset == 0 => Some((instead, 0)),
            What::Vector => None,
            What::At(place) => Some((instead, place - window.offset)),
        }
    }

    /// Distances of elements that conditions put elsewhere. They must be adjacent if one vector has them, and in the usual place
    /// if other windows read them.
    pub fn distances(&mut self) {
        let plan = self.plan;
        if plan.instead.is_empty() {
            return;
        }
        let (k, _, _) = counter(self.emit, plan.columns);
        let (name, ty) = (self.emit.name(plan.columns.var), self.emit.f.vars[plan.columns.var].ty.c());
        for (at, instead) in plan.instead.iter().enumerate() {
            let offset = plan.windows[instead.window].offset;
            let all = vec![offset.to_string(); self.each].join(", ");
            self.line(&format!("ap_i64 ap_f{at}[AP_EACH] = {{{all}}};"));
        }
        self.open("AP_UNROLL for (int ap_k = 0; ap_k < AP_EACH; ap_k++) {");
        self.line(&format!("const {ty} {name} = ({ty})({k} + ap_k);"));
        let mut ways: Vec<&Way> = plan.instead.iter().map(|instead| &instead.way).collect();
        ways.dedup();
        for way in ways {
            let text = match self.way(way, "ap_k") {
                Some(text) if text.is_empty() => continue,
                text => text.unwrap_or_else(|| "true".into()),
            };
            self.open(&format!("if ({text}) {{"));
            self.emit.block_of(&plan.lets);
            for (at, instead) in plan.instead.iter().enumerate().filter(|(_, instead)| instead.way == *way) {
                let rest = plan.rows[plan.windows[instead.window].row].rest.clone();
                let (index, rest) = (self.emit.bare(instead.index), self.emit.sum(&rest, 0));
                self.line(&format!("ap_f{at}[ap_k] = (ap_i64)({index}) - ({rest}) - (ap_i64){name};"));
            }
            self.close();
        }
        self.close();
        self.line("bool ap_regular = true;");
        for at in 0..self.units.len() {
            let Unit { row, what, .. } = self.units[at];
            if let Some((instead, column)) = self.alone(at) {
                self.line(&format!("const ap_i64 ap_e{at} = ap_f{instead}[{column}] + {column};"));
                for k in 1..if what == What::Vector { self.each } else { 0 } {
                    self.line(&format!("ap_regular &= ap_f{instead}[{k}] == ap_f{instead}[0];"));
                }
                continue;
            }
            // Other windows read there too: the element must be in its usual place.
            for (instead, of) in plan.instead.iter().enumerate() {
                let window = &plan.windows[of.window];
                for k in (0..self.each as i64).filter(|_| window.row == row) {
                    let place = k + window.offset;
                    let here = match what {
                        What::Vector => (0..self.each as i64).contains(&place),
                        What::At(at) => at == place,
                    };
                    if here {
                        self.line(&format!("ap_regular &= ap_f{instead}[{k}] == {};", window.offset));
                    }
                }
            }
        }
    }

    /// A pointer to a unit's elements.
    fn place(&self, at: usize) -> String {
        let Unit { row, what, elsewhere, .. } = self.units[at];
        match (what, elsewhere) {
            (What::At(place), false) => self.pointer(row, place),
            (What::Vector, false) => self.pointer(row, 0),
            (_, true) => format!("{} + ap_e{at}", self.pointer(row, 0)),
        }
    }

    /// The row that becomes this one in the next iteration.
    pub fn next(&self, row: usize) -> Option<usize> {
        let Row { array, rest, step } = &self.plan.rows[row];
        if step.is_zero() || self.emit.f.arrays[*array].mutable {
            return None;
        }
        let wanted = rest + step;
        self.plan.rows.iter().position(|row| row.array == *array && row.rest == wanted)
    }

    pub fn registers(&mut self) {
        let plan = self.plan;
        for row in 0..plan.rows.len() {
            let high = plan.windows.iter().filter(|w| w.row == row).map(|w| w.offset).max();
            let Some(high) = high else { continue };
            let more = high.max(0) - self.low[row];
            let more = if more == 0 { String::new() } else { format!(" + {more}") };
            let ty = self.emit.f.arrays[plan.rows[row].array].ty.c();
            self.line(&format!("{ty} ap_w{row}[AP_EACH{more}] = {{0}};"));
        }
        for (at, other) in plan.others.iter().enumerate() {
            let ty = self.emit.f.arrays[other.array].ty.c();
            self.line(&format!("{ty} ap_x{at}[AP_EACH] = {{0}};"));
        }
    }

    pub fn load(&mut self, at: usize, need: Option<&str>) {
        let Unit { row, what, .. } = self.units[at];
        let guard = match need {
            Some("0") => return,
            Some(need) => format!("if ({need}) "),
            None => String::new(),
        };
        let info = &self.emit.f.arrays[self.plan.rows[row].array];
        let (ty, low) = (info.ty, self.low[row]);
        match what {
            What::At(place) => {
                let pointer = self.place(at);
                self.line(&format!("{guard}ap_w{row}[{}] = *({pointer});", place - low));
            }
            What::Vector => {
                let pointer = self.place(at);
                let constant = if info.mutable { "" } else { "const " };
                let place = if low == 0 { String::new() } else { format!(" + {}", -low) };
                self.open(&format!("{guard}{{"));
                self.line(&format!("const {0} ap_v = *(AP_GLOBAL {constant}{0} *)({pointer});", vector(ty)));
                self.line(&format!(
                    "AP_UNROLL for (int ap_k = 0; ap_k < AP_EACH; ap_k++) ap_w{row}[ap_k{place}] = ap_v.at[ap_k];"
                ));
                self.close();
            }
        }
    }

    /// Reads elements that are not columns of rows. If few columns need them, one by one, which keeps nothing in registers.
    pub fn others(&mut self, begin: &str) {
        let plan = self.plan;
        let mut done: Vec<&Way> = Vec::new();
        for other in &plan.others {
            let way = &other.way;
            if done.contains(&way) {
                continue;
            }
            done.push(way);
            let of_way = || plan.others.iter().enumerate().filter(move |(_, other)| other.way == *way);
            let Some(text) = self.way(way, "ap_k") else {
                self.open("AP_UNROLL for (int ap_k = 0; ap_k < AP_EACH; ap_k++) {");
                self.line(begin);
                self.emit.block_of(&plan.lets);
                for (at, other) in of_way() {
                    let element = self.emit.value_at(other.array, other.index);
                    self.line(&format!("ap_x{at}[ap_k] = {element};"));
                }
                self.close();
                continue;
            };
            if text.is_empty() {
                continue;
            }
            let mask = self.mask(way);
            self.open(&format!("if ({mask}) AP_ROLLED for (int ap_k = 0; ap_k < AP_EACH; ap_k++) {{"));
            self.line(&format!("if (!({mask} >> ap_k & 1)) continue;"));
            self.line(begin);
            self.emit.block_of(&plan.lets);
            for (at, other) in of_way() {
                let checked = self.emit.checked.has(other.index);
                let element = self.emit.value_at(other.array, other.index);
                let info = &self.emit.f.arrays[other.array];
                let (ty, constant) = (info.ty.c(), if info.mutable { "" } else { "const " });
                self.line(&match checked {
                    true => format!("const {ty} ap_y{at} = {element};"),
                    false => format!("AP_GLOBAL {constant}{ty} *const ap_y{at} = &{element};"),
                });
            }
            // No value is used here, so no load is waited for.
            for k in 0..self.each {
                for (at, other) in of_way() {
                    let star = if self.emit.checked.has(other.index) { "" } else { "*" };
                    self.line(&format!("if (ap_k == {k}) ap_x{at}[{k}] = {star}ap_y{at};"));
                }
            }
            self.close();
        }
    }

    /// The name of the bit mask of the columns that take a way.
    pub fn mask(&mut self, way: &Way) -> String {
        let at = self.masks.iter().position(|known| known == way).unwrap_or_else(|| {
            self.masks.push(way.clone());
            self.masks.len() - 1
        });
        format!("ap_m{at}")
    }

    pub fn masks(&mut self, moving: bool) {
        for (at, way) in self.masks.clone().into_iter().enumerate() {
            let moves = way.iter().any(|(at, _)| self.plan.conditions[*at].moves && self.fixed(*at).is_none());
            if moves != moving {
                continue;
            }
            let parts: Vec<String> = (0..self.each)
                .filter_map(|k| Some(format!("({} ? {} : 0)", self.way(&way, &k.to_string())?, 1 << k)))
                .collect();
            self.line(&format!("const int ap_m{at} = {};", parts.join(" | ")));
        }
    }

    /// Advances to the next row: moves the pointers, and units take over the values of others.
    pub fn go_on(&mut self) {
        let mut done: BTreeSet<String> = BTreeSet::new();
        for (name, _) in self.cursors.clone() {
            if done.insert(name.clone()) {
                self.line(&format!("{name} += ap_step{};", &name[4..]));
            }
        }
        // The longest chains first: later moves overwrite their sources.
        let depth = |mut at: usize| {
            let mut depth = 0;
            while let Some(next) = self.units[at].next {
                at = next;
                depth += 1;
            }
            depth
        };
        let mut order: Vec<(usize, usize)> = (0..self.units.len()).map(|at| (depth(at), at)).collect();
        order.sort_by_key(|(depth, at)| (std::cmp::Reverse(*depth), *at));
        for (_, at) in order {
            let Unit { row, what, next: Some(next), .. } = self.units[at] else { continue };
            let other = self.units[next].row;
            let (to, from) = (self.low[row], self.low[other]);
            match what {
                What::At(place) => self.line(&format!("ap_w{row}[{}] = ap_w{other}[{}];", place - to, place - from)),
                What::Vector => self.line(&format!(
                    "AP_UNROLL for (int ap_k = 0; ap_k < AP_EACH; ap_k++) ap_w{row}[ap_k + {}] = ap_w{other}[ap_k + {}];",
                    -to, -from
                )),
            }
        }
    }
}
