//! Choices are taken back, and made again.

use super::driver::Driver;

fn notice(driver: &Driver) -> &str {
    driver.app.notice.as_deref().unwrap_or_default()
}

#[test]
fn k_goes_back_and_forth() {
    let driver = Driver::sample(80, 24).keys("++");
    assert_eq!(driver.app.settings.k, 5);
    let driver = driver.keys("u");
    assert_eq!((driver.app.settings.k, notice(&driver)), (4, "back to k=4"));
    let driver = driver.keys("u<c-r><c-r>");
    assert_eq!((driver.app.settings.k, notice(&driver)), (5, "again: k=5"));
    let driver = driver.keys("<c-r>");
    assert_eq!(notice(&driver), "nothing to redo");
    // A choice of another kind leaves nothing to redo.
    let driver = driver.keys("u-<c-r>");
    assert_eq!((driver.app.settings.k, notice(&driver)), (3, "nothing to redo"));
    // The answers are those of the k that came back.
    let driver = driver.keys("uuu");
    assert_eq!((driver.app.analysis.settings.k, driver.app.settings.k), (3, 3));
}

#[test]
fn a_k_that_a_stray_key_changed_on_tune_comes_back_on_any_screen() {
    let driver = Driver::sample(80, 24).keys("4j1u");
    assert_eq!((driver.app.settings.k, notice(&driver)), (3, "back to k=3"));
}

#[test]
fn filter_order_and_fields_come_back() {
    let driver = Driver::sample(80, 24).keys("fis:near<enter>ss");
    let shown = driver.app.docs.len();
    let order = driver.app.docs.order;
    let driver = driver.keys("u");
    assert_ne!(driver.app.docs.order, order);
    let driver = driver.keys("uu");
    assert_eq!(notice(&driver), "back to no filter");
    assert_eq!(driver.app.docs.len(), driver.app.analysis.len());
    let driver = driver.keys("<c-r><c-r><c-r>");
    assert_eq!((driver.app.docs.len(), driver.app.docs.order), (shown, order));
    let driver = driver.keys("oauthor<enter>u");
    assert!(driver.app.docs.fields.names.is_empty());
}

#[test]
fn a_recipe_comes_back_with_its_fingerprints() {
    let driver = Driver::sample(80, 24);
    let (recipe, fingerprint) = {
        let app = &driver.app;
        (app.settings.recipe.clone(), app.analysis.fingerprint(app.query().unwrap()))
    };
    let driver = driver.keys("rj1<enter>");
    assert_ne!(driver.app.settings.recipe, recipe);
    let driver = driver.keys("u");
    assert_eq!(notice(&driver), "back to recipe words:3 tf");
    assert_eq!(driver.app.analysis.settings.recipe, recipe);
    assert_eq!(driver.app.analysis.fingerprint(driver.app.query().unwrap()), fingerprint);
}

#[test]
fn marks_come_back_one_by_one() {
    let driver = Driver::sample(120, 35).keys("<tab>ljj<space>p");
    assert_eq!(driver.app.review.rule.marks.len(), 1);
    let driver = driver.keys("u");
    assert_eq!(notice(&driver), "back to policy first");
    let driver = driver.keys("u");
    assert_eq!((driver.app.review.rule.marks.len(), notice(&driver)), (0, "back to 0 marks"));
    let driver = driver.keys("<c-r>");
    assert_eq!(driver.app.review.rule.marks.len(), 1);
}

#[test]
fn an_unbound_key_is_answered() {
    let driver = Driver::sample(80, 24).keys("$");
    assert_eq!(notice(&driver), "$ does nothing here; ? lists the keys");
    let driver = driver.keys("2p");
    let told = notice(&driver);
    assert!(told.starts_with("p does nothing here; in Docs: "), "{told}");
}

#[test]
fn the_linkage_is_undone_and_an_earlier_filter_stays() {
    use simscope::index::Linkage;
    let driver = Driver::sample(80, 24).keys("fgeese<enter><tab>c");
    assert_eq!(driver.app.groups.linkage, Linkage::Complete);
    let back = driver.keys("u");
    assert_eq!(back.app.groups.linkage, Linkage::Single);
    assert_eq!(back.app.docs.filter_text, "geese");
    assert_eq!(back.app.notice.as_deref(), Some("back to single linkage"));
    assert_eq!(back.keys("<c-r>").app.groups.linkage, Linkage::Complete);
}
