//! Arrays to which iterations contribute as a whole, and the operations on their elements.

use crate::access::has;
use crate::ir::{Array, ArrayId, Binary, Builtin, Expr, Function, Kind, Param, Place, Stmt, Ty, Var, walk_statements};
use crate::parse::MapWord;
use proc_macro2::{Ident, Span};
use std::collections::BTreeMap;
use syn::{Error, Result};

/// How contributions are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Sum,
    Product,
    Min,
    Max,
    And,
    Or,
}

impl Operator {
    pub const ALL: [Self; 6] = [Self::Sum, Self::Product, Self::Min, Self::Max, Self::And, Self::Or];

    /// Its name in the library.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sum => "Sum",
            Self::Product => "Product",
            Self::Min => "Min",
            Self::Max => "Max",
            Self::And => "And",
            Self::Or => "Or",
        }
    }

    /// The operator of this name.
    pub fn named(name: &Ident) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|operator| name == operator.name());
        found.ok_or_else(|| {
            Error::new(name.span(), "iterations contribute by `Sum`, `Product`, `Min`, `Max`, `And` or `Or`")
        })
    }

    /// The operator of a Rust operation.
    fn of(op: Binary) -> Option<Self> {
        match op {
            Binary::Add | Binary::Sub => Some(Self::Sum),
            Binary::Mul => Some(Self::Product),
            Binary::And => Some(Self::And),
            Binary::Or => Some(Self::Or),
            _ => None,
        }
    }

    /// An example of a statement that contributes.
    fn example(self, array: &Array) -> String {
        let ident = &array.ident;
        let array = if array.components.is_some() { format!("{ident}[k][0]") } else { format!("{ident}[k]") };
        match self {
            Self::Sum => format!("`{array} += v;`"),
            Self::Product => format!("`{array} *= v;`"),
            Self::Min => format!("`{array} = {array}.min(v);`"),
            Self::Max => format!("`{array} = {array}.max(v);`"),
            Self::And => format!("`{array} &= v;`"),
            Self::Or => format!("`{array} |= v;`"),
        }
    }

    /// The operation in a text.
    pub fn sign(self) -> Option<Binary> {
        match self {
            Self::Sum => Some(Binary::Add),
            Self::Product => Some(Binary::Mul),
            Self::And => Some(Binary::And),
            Self::Or => Some(Binary::Or),
            Self::Min | Self::Max => None,
        }
    }

    /// The prelude function by which a work-item contributes to its group's copy.
    pub fn function(self, ty: Ty) -> String {
        format!("ap_atomic_{}_{}", self.name().to_lowercase(), ty.tag())
    }

    /// The prelude function by which a group contributes to its device's array.
    pub fn of_group(self, ty: Ty) -> String {
        format!("ap_whole_{}_{}", self.name().to_lowercase(), ty.tag())
    }
}

/// The arrays to which iterations contribute according to the maps, with their operators, checked against the signature.
pub fn said(f: &Function, words: &[MapWord]) -> Result<BTreeMap<ArrayId, Operator>> {
    let mut said = BTreeMap::new();
    for word in words {
        let (Some(operator), Some(array)) = (&word.reduce, f.arrays.iter().position(|array| array.ident == word.array))
        else {
            continue;
        };
        let ty = f.arrays[array].ty;
        let of = Operator::named(operator)?;
        if ty.is_short() {
            let wide = if ty.is_signed() { "i32" } else { "u32" };
            let of = f.arrays[array].element().replace(ty.name(), wide);
            let text =
                format!("GPUs have no atomic operations on {}: make `{}` a `&mut [{of}]`", ty.name(), word.array);
            return Err(Error::new(operator.span(), text));
        }
        if ty.is_float() && matches!(of, Operator::And | Operator::Or) {
            return Err(Error::new(
                operator.span(),
                format!("`{}` is of integers: `{}` is of {}", of.name(), word.array, ty.name()),
            ));
        }
        if !f.arrays[array].mutable {
            let text =
                format!("iterations contribute to `{}`: make it `&mut [{}]`", word.array, f.arrays[array].element());
            return Err(Error::new(f.arrays[array].ident.span(), text));
        }
        said.insert(array, of);
    }
    Ok(said)
}

/// Turns the statements that change such arrays into contributions.
pub fn convert(f: &mut Function, said: &BTreeMap<ArrayId, Operator>) -> Result<()> {
    if said.is_empty() {
        return Ok(());
    }
    let mut body = std::mem::take(&mut f.body);
    let done = Conversion { f, said }.list(&mut body);
    f.body = body;
    for &array in said.keys() {
        let name = format!("ap_count_{}", f.arrays[array].name);
        let place = f.params.iter().position(|param| *param == Param::Array(array)).map_or(f.params.len(), |at| at + 1);
        f.params.insert(place, Param::Scalar(f.vars.len()));
        f.counts.insert(array, f.vars.len());
        let ident = Ident::new(&name, Span::call_site());
        f.vars.push(Var { ident, name, ty: Ty::U64, mutable: false, len: None });
    }
    done
}

struct Conversion<'c> {
    f: &'c Function,
    said: &'c BTreeMap<ArrayId, Operator>,
}

impl Conversion<'_> {
    fn list(&self, list: &mut [Stmt]) -> Result<()> {
        for stmt in list {
            if let Some(contribution) = self.contribution(stmt)? {
                *stmt = contribution;
            }
            for e in stmt.expressions() {
                self.reads_none(e)?;
            }
            match stmt {
                Stmt::For(l) => self.list(&mut l.body)?,
                Stmt::While(_, body) | Stmt::Block(body) => self.list(body)?,
                Stmt::If(_, yes, no) => {
                    self.list(yes)?;
                    self.list(no)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The contribution that a statement makes, if it changes such an array.
    fn contribution(&self, stmt: &Stmt) -> Result<Option<Stmt>> {
        let Stmt::Assign(Place::Element(array, index), op, value, span) = stmt else { return Ok(None) };
        let Some(&operator) = self.said.get(array) else { return Ok(None) };
        let made = |value: Expr| Ok(Some(Stmt::Contribute(*array, index.clone(), operator, value, *span)));
        let own = |e: &Expr| matches!(&e.kind, Kind::Load(of, at) if of == array && alike(at, index));
        match (op, &value.kind) {
            (Some(Binary::Sub), _) if operator == Operator::Sum => {
                let (ty, span) = (value.ty, value.span);
                made(Expr { kind: Kind::Neg(Box::new(value.clone())), ty, span })
            }
            (Some(op), _) if Operator::of(*op) == Some(operator) => made(value.clone()),
            (None, Kind::Binary(op, a, b)) if *op != Binary::Sub && Operator::of(*op) == Some(operator) => {
                match (own(a), own(b)) {
                    (true, _) => made((**b).clone()),
                    (_, true) => made((**a).clone()),
                    _ => Err(self.refused(*array, operator, *span)),
                }
            }
            (None, Kind::Builtin(builtin @ (Builtin::Min | Builtin::Max), parts))
                if (*builtin == Builtin::Min) == (operator == Operator::Min)
                    && matches!(operator, Operator::Min | Operator::Max) =>
            {
                match &parts[..] {
                    [a, b] if own(a) => made(b.clone()),
                    [a, b] if own(b) => made(a.clone()),
                    _ => Err(self.refused(*array, operator, *span)),
                }
            }
            _ => Err(self.refused(*array, operator, *span)),
        }
    }

    fn reads_none(&self, e: &Expr) -> Result<()> {
        let mut read = None;
        e.walk(&mut |e| {
            if let Kind::Load(array, _) = e.kind
                && self.said.contains_key(&array)
            {
                read = read.or(Some((array, e.span)));
            }
        });
        match read {
            None => Ok(()),
            Some((array, span)) => Err(self.refused(array, self.said[&array], span)),
        }
    }

    fn refused(&self, array: ArrayId, operator: Operator, span: Span) -> Error {
        let array = &self.f.arrays[array];
        let name = &array.ident;
        let text = format!(
            "iterations contribute to `{name}` by `{}` and do nothing else with it, as each sees its own device's part alone: \
             {}",
            operator.name(),
            operator.example(array)
        );
        Error::new(span, text)
    }
}

/// Whether two expressions are the same text with the same variables.
fn alike(a: &Expr, b: &Expr) -> bool {
    let lists = |a: &[Expr], b: &[Expr]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b));
    if a.ty != b.ty {
        return false;
    }
    match (&a.kind, &b.kind) {
        (Kind::Lit(a), Kind::Lit(b)) => format!("{a:?}") == format!("{b:?}"),
        (Kind::Var(a), Kind::Var(b)) => a == b,
        (Kind::Whole(a, x), Kind::Whole(b, y)) => a == b && x == y,
        (Kind::Load(x, a), Kind::Load(y, b)) => x == y && alike(a, b),
        (Kind::Local(x, a), Kind::Local(y, b)) => x == y && alike(a, b),
        (Kind::Neg(a), Kind::Neg(b)) | (Kind::Not(a), Kind::Not(b)) | (Kind::Cast(a), Kind::Cast(b)) => alike(a, b),
        (Kind::Binary(x, a, b), Kind::Binary(y, c, d)) => x == y && alike(a, c) && alike(b, d),
        (Kind::Builtin(x, a), Kind::Builtin(y, b)) => x == y && lists(a, b),
        (Kind::Helper(x, a), Kind::Helper(y, b)) => x == y && lists(a, b),
        (Kind::Select(a, b, c), Kind::Select(x, y, z)) => alike(a, x) && alike(b, y) && alike(c, z),
        _ => false,
    }
}

/// Whether iterations contribute to arrays in these statements.
pub fn contributes(list: &[Stmt]) -> bool {
    has(list, |stmt| matches!(stmt, Stmt::Contribute(..)))
}

/// The arrays that iterations contribute to, with their operators.
pub fn arrays(f: &Function) -> Vec<(ArrayId, Operator)> {
    let mut found = Vec::new();
    walk_statements(&f.body, &mut |stmt| {
        if let Stmt::Contribute(array, _, operator, ..) = stmt
            && !found.iter().any(|(other, _)| other == array)
        {
            found.push((*array, *operator));
        }
    });
    found.sort_by_key(|(array, _)| *array);
    found
}
