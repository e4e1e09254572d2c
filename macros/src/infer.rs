//! Types of locals and literals, inferred from their uses, as Rust does.

use crate::ir::Ty;
use crate::syntax::At;
use syn::Result;

/// What an unknown type can become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    Any,
    Integer,
    Float,
}

#[derive(Clone, Copy, Debug)]
enum Slot {
    Free(Sort),
    Is(Ty),
}

/// The inference variables.
#[derive(Debug, Default)]
pub struct Types {
    slots: Vec<Slot>,
}

impl Types {
    /// A new unknown type.
    pub fn open(&mut self, sort: Sort) -> Ty {
        self.slots.push(Slot::Free(sort));
        Ty::Open(self.slots.len() as u32 - 1)
    }

    /// What is known of a type so far.
    pub fn now(&self, mut ty: Ty) -> Ty {
        while let Ty::Open(slot) = ty {
            match self.slots[slot as usize] {
                Slot::Is(other) => ty = other,
                Slot::Free(_) => break,
            }
        }
        ty
    }

    /// The type, with Rust's defaults for literals that nothing else determines.
    pub fn settled(&self, ty: Ty) -> Option<Ty> {
        match self.now(ty) {
            Ty::Open(slot) => match self.slots[slot as usize] {
                Slot::Free(Sort::Integer) => Some(Ty::I32),
                Slot::Free(Sort::Float) => Some(Ty::F64),
                _ => None,
            },
            known => Some(known),
        }
    }

    /// Whether it is known to be an integer, of whichever type.
    pub fn is_integer(&self, ty: Ty) -> bool {
        self.sort(self.now(ty)) == Sort::Integer
    }

    fn sort(&self, ty: Ty) -> Sort {
        match ty {
            Ty::Open(slot) => match self.slots[slot as usize] {
                Slot::Free(sort) => sort,
                Slot::Is(ty) => self.sort(ty),
            },
            ty if ty.is_float() => Sort::Float,
            ty if ty.is_integer() => Sort::Integer,
            _ => Sort::Any,
        }
    }

    /// Unifies two types; an error if they differ.
    pub fn same(&mut self, wanted: Ty, found: Ty, at: impl At) -> Result<()> {
        let (a, b) = (self.now(wanted), self.now(found));
        if a == b {
            return Ok(());
        }
        let wrong = || {
            let number = |ty: Ty| ty.is_float() || ty.is_integer();
            let convert =
                if number(a) && number(b) { format!(" (`as {}` converts it)", a.name()) } else { String::new() };
            Err(at.error(format!("expected {}, found {}{convert}", self.show(a), self.show(b))))
        };
        let (sa, sb) = (self.sort(a), self.sort(b));
        if sa != Sort::Any && sb != Sort::Any && sa != sb {
            return wrong();
        }
        match (a, b) {
            (Ty::Open(x), Ty::Open(_)) => {
                if sb == Sort::Any {
                    let Ty::Open(y) = b else { unreachable!() };
                    self.slots[y as usize] = Slot::Is(a);
                } else {
                    self.slots[x as usize] = Slot::Is(b);
                }
            }
            (Ty::Open(x), known) | (known, Ty::Open(x)) => {
                let sort = self.sort(Ty::Open(x));
                if sort != Sort::Any && self.sort(known) != sort {
                    return wrong();
                }
                self.slots[x as usize] = Slot::Is(known);
            }
            _ => return wrong(),
        }
        Ok(())
    }

    /// Requires `ty` to be of this sort.
    pub fn must_be(&mut self, sort: Sort, ty: Ty, at: impl At) -> Result<()> {
        let now = self.now(ty);
        match (self.sort(now), now) {
            (found, _) if found == sort => Ok(()),
            (Sort::Any, Ty::Open(slot)) => {
                self.slots[slot as usize] = Slot::Free(sort);
                Ok(())
            }
            _ => {
                let wanted = if sort == Sort::Float { "a float (f32 or f64)" } else { "an integer" };
                Err(at.error(format!("expected {wanted}, found {}", self.show(now))))
            }
        }
    }

    /// The type for messages.
    pub fn show(&self, ty: Ty) -> String {
        match self.now(ty) {
            Ty::Open(slot) => match self.slots[slot as usize] {
                Slot::Free(Sort::Integer) => "an integer".into(),
                Slot::Free(Sort::Float) => "a float".into(),
                _ => "a value of a type that is not known yet".into(),
            },
            known => format!("`{}`", known.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proc_macro2::Span;

    #[test]
    fn a_literal_takes_its_type_from_later_use() {
        let mut types = Types::default();
        let (a, b) = (types.open(Sort::Float), types.open(Sort::Any));
        types.same(b, a, Span::call_site()).unwrap();
        types.same(Ty::F32, b, Span::call_site()).unwrap();
        assert_eq!(types.settled(a), Some(Ty::F32));
    }

    #[test]
    fn sorts_do_not_mix_and_defaults_are_those_of_rust() {
        let mut types = Types::default();
        let (i, f, any) = (types.open(Sort::Integer), types.open(Sort::Float), types.open(Sort::Any));
        assert!(types.same(i, f, Span::call_site()).is_err());
        assert!(types.same(Ty::F32, i, Span::call_site()).is_err());
        assert_eq!((types.settled(i), types.settled(f), types.settled(any)), (Some(Ty::I32), Some(Ty::F64), None));
        types.must_be(Sort::Integer, any, Span::call_site()).unwrap();
        assert!(types.must_be(Sort::Float, any, Span::call_site()).is_err());
        let error = types.same(Ty::Bool, i, Span::call_site()).unwrap_err();
        assert!(error.to_string().contains("`bool`"), "{error}");
    }
}
