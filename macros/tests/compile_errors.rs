//! What a kernel cannot be is a compile error that points at the place and says what to do instead.

#[test]
fn errors_point_at_the_place_and_say_what_to_do() {
    trybuild::TestCases::new().compile_fail("tests/errors/*.rs");
}
