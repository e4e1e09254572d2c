//! The typed form of a kernel, between its Rust source and the generated texts.

use crate::contribute::Operator;
use crate::functions::{Math, Own};
use crate::poly::Poly;
use proc_macro2::{Ident, Span};
use std::collections::{BTreeMap, BTreeSet};

/// Types of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    F32,
    F64,
    I32,
    U32,
    I64,
    U64,
    I8,
    U8,
    I16,
    U16,
    Usize,
    Bool,
    Unit,
    /// Not known yet: a variable of the inference.
    Open(u32),
}

impl Ty {
    /// The type of this name, if kernels may have it.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "f32" => Self::F32,
            "f64" => Self::F64,
            "i32" => Self::I32,
            "u32" => Self::U32,
            "i64" => Self::I64,
            "u64" => Self::U64,
            "i8" => Self::I8,
            "u8" => Self::U8,
            "i16" => Self::I16,
            "u16" => Self::U16,
            "usize" => Self::Usize,
            "bool" => Self::Bool,
            _ => return None,
        })
    }

    /// The name in Rust.
    pub fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::I32 => "i32",
            Self::U32 => "u32",
            Self::I64 => "i64",
            Self::U64 => "u64",
            Self::I8 => "i8",
            Self::U8 => "u8",
            Self::I16 => "i16",
            Self::U16 => "u16",
            Self::Usize => "usize",
            Self::Bool => "bool",
            Self::Unit => "()",
            Self::Open(_) => "_",
        }
    }

    /// The name in the C text, where `usize` is 64 bits wide.
    pub fn c(self) -> &'static str {
        match self {
            Self::F32 => "float",
            Self::F64 => "double",
            Self::I32 => "int",
            Self::U32 => "ap_u32",
            Self::I64 => "ap_i64",
            Self::U64 | Self::Usize => "ap_u64",
            // `char` alone may be unsigned.
            Self::I8 => "signed char",
            Self::U8 => "ap_u8",
            Self::I16 => "short",
            Self::U16 => "unsigned short",
            Self::Bool => "bool",
            Self::Unit | Self::Open(_) => "void",
        }
    }

    /// The name that stands for it in C function names.
    pub fn tag(self) -> &'static str {
        match self {
            Self::Usize => "u64",
            other => other.name(),
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }

    pub fn is_integer(self) -> bool {
        self.is_signed() || self.is_unsigned()
    }

    pub fn is_signed(self) -> bool {
        matches!(self, Self::I8 | Self::I16 | Self::I32 | Self::I64)
    }

    /// Whether it is an integer without a sign.
    pub fn is_unsigned(self) -> bool {
        matches!(self, Self::U8 | Self::U16 | Self::U32 | Self::U64 | Self::Usize)
    }

    /// Whether it is an integer that C computes with as an `int`, which has more bits.
    pub fn is_short(self) -> bool {
        self.is_integer() && self.bytes() < 4
    }

    /// The type in which C adds, subtracts and multiplies integers of this type as Rust's wrapping methods do: without a sign, and
    /// such that products of 16 bits do not overflow `int`.
    pub fn c_wrapping(self) -> &'static str {
        match self {
            Self::I8 | Self::I16 | Self::U16 | Self::I32 => "ap_u32",
            Self::I64 => "ap_u64",
            other => other.c(),
        }
    }

    /// The unsigned integer of the same size.
    pub fn unsigned(self) -> Self {
        match self {
            Self::I8 => Self::U8,
            Self::I16 => Self::U16,
            Self::I32 => Self::U32,
            Self::I64 => Self::U64,
            other => other,
        }
    }

    /// The largest value of an integer.
    pub fn most(self) -> u128 {
        let bits = 8 * self.bytes();
        if self.is_signed() { (1 << (bits - 1)) - 1 } else { (1 << bits) - 1 }
    }

    /// Size of an element in bytes.
    pub fn bytes(self) -> i128 {
        match self {
            Self::I8 | Self::U8 | Self::Bool => 1,
            Self::I16 | Self::U16 => 2,
            Self::F32 | Self::I32 | Self::U32 => 4,
            _ => 8,
        }
    }
}

/// Index into [`Function::vars`].
pub type VarId = usize;
/// Index into [`Function::arrays`].
pub type ArrayId = usize;

/// A scalar: a parameter, a loop index, a local, or a local array.
#[derive(Clone, Debug)]
pub struct Var {
    pub ident: Ident,
    /// Its unique name in both the C and the Rust text.
    pub name: String,
    pub ty: Ty,
    pub mutable: bool,
    /// Elements of a local array.
    pub len: Option<usize>,
}

/// A parameter that is a slice.
#[derive(Clone, Debug)]
pub struct Array {
    pub ident: Ident,
    /// Its unique name in both the C and the Rust text.
    pub name: String,
    pub ty: Ty,
    pub mutable: bool,
    /// Of elements that are arrays, as in `&[[f32; 3]]`, how many components each has. From here on the array is one of components.
    pub components: Option<usize>,
}

impl Array {
    /// Components in an element.
    pub fn each(&self) -> usize {
        self.components.unwrap_or(1)
    }

    /// The type of an element, in words.
    pub fn element(&self) -> String {
        match self.components {
            Some(len) => format!("[{}; {len}]", self.ty.name()),
            None => self.ty.name().to_owned(),
        }
    }
}

/// A parameter besides the loop indices, in the order of the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Param {
    Scalar(VarId),
    Array(ArrayId),
}

/// A kernel or a helper function.
#[derive(Clone, Debug)]
pub struct Function {
    pub ident: Ident,
    pub helper: bool,
    /// The loop index, and the second one if there is one.
    pub indices: Vec<VarId>,
    pub params: Vec<Param>,
    pub vars: Vec<Var>,
    pub arrays: Vec<Array>,
    pub result: Ty,
    pub body: Vec<Stmt>,
    /// Paths of the helper functions that are called, each once.
    pub helpers: Vec<syn::Path>,
    /// Symbols of the access analysis that stand for quotients of arguments by a constant.
    pub quotients: BTreeMap<VarId, (Poly, i128)>,
    /// Symbols that costs have for loops with several ends: twice the number of turns to each, of which the least counts.
    pub leasts: BTreeMap<VarId, Vec<Poly>>,
    /// Whether sums of inner loops may change their order.
    pub reorder: bool,
    /// Constants from outside the function.
    pub constants: Vec<VarId>,
    /// Parameters of a helper that are references to arrays.
    pub references: BTreeSet<VarId>,
    /// Hidden parameters after arrays that iterations contribute to: the numbers of their elements.
    pub counts: BTreeMap<ArrayId, VarId>,
    /// Arrays whose every access is checked at run time.
    pub unproved: BTreeSet<ArrayId>,
    /// Of arrays whose rows a map states, that map, as one would write it.
    pub stated: BTreeMap<ArrayId, String>,
    /// Whether it is the text for arguments with which a claim does not hold.
    pub unclaimed: bool,
    /// Hidden parameters of the form for rows and columns: the distances between rows.
    pub pitches: BTreeSet<VarId>,
    /// Scalars that may be results of earlier loops, which the host does not wait for: only the loop itself uses them.
    pub late: BTreeSet<VarId>,
    /// Scalars of a type parameter's type, which the function of that name passes on as they are.
    pub passed: BTreeSet<VarId>,
}

impl Function {
    pub fn index(&self) -> Option<VarId> {
        self.indices.first().copied()
    }

    /// Whether a parameter is an array's hidden number of elements.
    pub fn is_count(&self, var: VarId) -> bool {
        self.counts.values().any(|count| *count == var)
    }

    /// Whether a scalar is the same for all iterations: an argument or a constant.
    pub fn is_argument(&self, var: VarId) -> bool {
        self.params.contains(&Param::Scalar(var)) || self.constants.contains(&var)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// `&&`
    Both,
    /// `||`
    Either,
}

impl Binary {
    pub fn sign(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Rem => "%",
            Self::And => "&",
            Self::Or => "|",
            Self::Xor => "^",
            Self::Shl => "<<",
            Self::Shr => ">>",
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
            Self::Both => "&&",
            Self::Either => "||",
        }
    }

    pub fn compares(self) -> bool {
        matches!(self, Self::Eq | Self::Ne | Self::Lt | Self::Le | Self::Gt | Self::Ge)
    }
}

/// Functions that every target has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Builtin {
    Abs,
    Powi,
    MulAdd,
    Min,
    Max,
    IsNan,
    ToBits,
    /// Of the bits; the expression has the float's type.
    FromBits,
    /// Of unsigned integers, as the next.
    SaturatingSub,
    AbsDiff,
    Math(&'static Math),
    Own(&'static Own),
}

#[derive(Clone, Debug)]
pub enum Lit {
    Int(u128),
    /// As written, without a type.
    Float(String),
    Bool(bool),
    /// A constant of the float type, such as `PI` or `MAX`.
    Named(&'static str),
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: Kind,
    pub ty: Ty,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Kind {
    Lit(Lit),
    Var(VarId),
    /// An element of a parameter.
    Load(ArrayId, Box<Expr>),
    /// An element of a local array.
    Local(VarId, Box<Expr>),
    /// A local array as an argument of a helper; the second field says whether as a reference.
    Whole(VarId, bool),
    Neg(Box<Expr>),
    Not(Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    Cast(Box<Expr>),
    Builtin(Builtin, Vec<Expr>),
    /// A helper function, by its index in [`Function::helpers`].
    Helper(usize, Vec<Expr>),
    /// `if` as a value, of which only one side is computed.
    Select(Box<Expr>, Box<Expr>, Box<Expr>),
}

#[derive(Clone, Debug)]
pub enum Place {
    Var(VarId),
    Local(VarId, Expr),
    Element(ArrayId, Expr),
}

#[derive(Clone, Debug)]
pub enum ArrayInit {
    Repeat(Expr),
    List(Vec<Expr>),
}

/// A `for` over a range.
#[derive(Clone, Debug)]
pub struct ForLoop {
    pub var: VarId,
    pub lo: Expr,
    pub hi: Expr,
    /// `lo..=hi`
    pub inclusive: bool,
    pub body: Vec<Stmt>,
}

#[derive(Clone, Debug)]
pub enum Stmt {
    Let(VarId, Option<Expr>),
    LetArray(VarId, ArrayInit),
    /// The second field is the operator of a compound assignment.
    Assign(Place, Option<Binary>, Expr, Span),
    /// A contribution to an element: array, index, operator and value.
    Contribute(ArrayId, Expr, Operator, Expr, Span),
    For(Box<ForLoop>),
    While(Expr, Vec<Stmt>),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    Block(Vec<Stmt>),
    Return(Option<Expr>),
    Break,
    Continue,
}

impl Expr {
    /// Its direct subexpressions.
    pub fn parts(&self) -> Vec<&Expr> {
        match &self.kind {
            Kind::Lit(_) | Kind::Var(_) | Kind::Whole(..) => Vec::new(),
            Kind::Load(_, e) | Kind::Local(_, e) | Kind::Neg(e) | Kind::Not(e) | Kind::Cast(e) => vec![e],
            Kind::Binary(_, a, b) => vec![a, b],
            Kind::Builtin(_, list) | Kind::Helper(_, list) => list.iter().collect(),
            Kind::Select(c, a, b) => vec![c, a, b],
        }
    }

    /// Calls `see` with this expression and all below it.
    pub fn walk<'e>(&'e self, see: &mut impl FnMut(&'e Expr)) {
        see(self);
        self.parts().into_iter().for_each(|part| part.walk(see));
    }
}

impl Stmt {
    /// Its own expressions, without those of statements inside it.
    pub fn expressions(&self) -> Vec<&Expr> {
        match self {
            Self::Let(_, init) => init.iter().collect(),
            Self::LetArray(_, ArrayInit::Repeat(e)) => vec![e],
            Self::LetArray(_, ArrayInit::List(list)) => list.iter().collect(),
            Self::Assign(place, _, value, _) => match place {
                Place::Var(_) => vec![value],
                Place::Local(_, index) | Place::Element(_, index) => vec![index, value],
            },
            Self::Contribute(_, index, _, value, _) => vec![index, value],
            Self::For(l) => vec![&l.lo, &l.hi],
            Self::While(c, _) | Self::If(c, _, _) => vec![c],
            Self::Return(value) => value.iter().collect(),
            Self::Block(_) | Self::Break | Self::Continue => Vec::new(),
        }
    }

    /// The lists of statements inside it.
    pub fn blocks(&self) -> Vec<&[Stmt]> {
        match self {
            Self::For(l) => vec![&l.body],
            Self::While(_, body) | Self::Block(body) => vec![body],
            Self::If(_, yes, no) => vec![yes, no],
            _ => Vec::new(),
        }
    }
}

/// Calls `see` with all statements, outer before inner.
pub fn walk_statements<'s>(list: &'s [Stmt], see: &mut impl FnMut(&'s Stmt)) {
    for stmt in list {
        see(stmt);
        for block in stmt.blocks() {
            walk_statements(block, see);
        }
    }
}

/// Calls `see` with all expressions of these statements.
pub fn walk_expressions<'s>(list: &'s [Stmt], see: &mut impl FnMut(&'s Expr)) {
    walk_statements(list, &mut |stmt| {
        for e in stmt.expressions() {
            e.walk(see);
        }
    });
}

/// Changes the expressions of these statements.
pub fn change_expressions(list: &mut [Stmt], change: &mut impl FnMut(&mut Expr)) {
    fn expr(e: &mut Expr, change: &mut impl FnMut(&mut Expr)) {
        change(e);
        match &mut e.kind {
            Kind::Lit(_) | Kind::Var(_) | Kind::Whole(..) => {}
            Kind::Load(_, e) | Kind::Local(_, e) | Kind::Neg(e) | Kind::Not(e) | Kind::Cast(e) => expr(e, change),
            Kind::Binary(_, a, b) => {
                expr(a, change);
                expr(b, change);
            }
            Kind::Builtin(_, list) | Kind::Helper(_, list) => list.iter_mut().for_each(|e| expr(e, change)),
            Kind::Select(c, a, b) => {
                expr(c, change);
                expr(a, change);
                expr(b, change);
            }
        }
    }
    for stmt in list {
        match stmt {
            Stmt::Let(_, init) => init.iter_mut().for_each(|e| expr(e, change)),
            Stmt::LetArray(_, ArrayInit::Repeat(e)) => expr(e, change),
            Stmt::LetArray(_, ArrayInit::List(list)) => list.iter_mut().for_each(|e| expr(e, change)),
            Stmt::Assign(place, _, value, _) => {
                if let Place::Local(_, index) | Place::Element(_, index) = place {
                    expr(index, change);
                }
                expr(value, change);
            }
            Stmt::Contribute(_, index, _, value, _) => {
                expr(index, change);
                expr(value, change);
            }
            Stmt::For(l) => {
                expr(&mut l.lo, change);
                expr(&mut l.hi, change);
                change_expressions(&mut l.body, change);
            }
            Stmt::While(c, body) => {
                expr(c, change);
                change_expressions(body, change);
            }
            Stmt::If(c, yes, no) => {
                expr(c, change);
                change_expressions(yes, change);
                change_expressions(no, change);
            }
            Stmt::Block(body) => change_expressions(body, change),
            Stmt::Return(value) => value.iter_mut().for_each(|e| expr(e, change)),
            Stmt::Break | Stmt::Continue => {}
        }
    }
}
