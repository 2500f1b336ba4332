//! Figures as SVG, made by hand: a few dozen shapes need no library, and the page needs no script.
//!
//! Colours are the page's CSS variables, so figures follow light and dark. Every figure has a title and a description for those
//! who do not see it, and no figure speaks by colour alone: better is up or above a line, worse is down or below.

use std::fmt::Write;

use super::figures::{difference, score};
use super::html::escape;

/// A query in the scatter.
pub(super) struct Point {
    pub(super) label: String,
    pub(super) before: f64,
    pub(super) after: f64,
    /// Whether the query holds a template term.
    pub(super) template: bool,
}

/// A bar with its name.
pub(super) struct Bar {
    pub(super) label: String,
    pub(super) value: f64,
    pub(super) shown: String,
}

/// A drawing of so many units, with its text alternative.
fn figure(width: f64, height: f64, title: &str, description: &str, shapes: &str) -> String {
    format!(
        "<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"{}\">\
         <title>{}</title><desc>{}</desc>\n{shapes}</svg>\n",
        escape(&format!("{title}. {description}")),
        escape(title),
        escape(description)
    )
}

fn class(before: f64, after: f64) -> &'static str {
    if (after - before).abs() < 1e-9 {
        "same"
    } else if after > before {
        "better"
    } else {
        "worse"
    }
}

/// Each query as a dot: its score in the first index to the right, in the second up. On the diagonal nothing changed.
pub(super) fn scatter(points: &[Point], first: &str, second: &str, measure: &str) -> String {
    const SIDE: f64 = 320.0;
    const LEFT: f64 = 54.0;
    const TOP: f64 = 12.0;
    let (x, y) = (|value: f64| LEFT + value * SIDE, |value: f64| TOP + (1.0 - value) * SIDE);
    let mut shapes = String::new();
    for tick in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let (tx, ty) = (x(tick), y(tick));
        let _ = writeln!(
            shapes,
            "<path class=\"grid\" d=\"M{tx} {TOP}V{}M{LEFT} {ty}H{}\"/>\
             <text class=\"tick\" x=\"{tx}\" y=\"{}\" text-anchor=\"middle\">{tick}</text>\
             <text class=\"tick\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{tick}</text>",
            TOP + SIDE,
            LEFT + SIDE,
            TOP + SIDE + 16.0,
            LEFT - 7.0,
            ty + 4.0
        );
    }
    let _ = writeln!(shapes, "<path class=\"axis\" d=\"M{} {}L{} {}\"/>", x(0.0), y(0.0), x(1.0), y(1.0));
    // Queries that changed lie over those that did not.
    let mut order: Vec<&Point> = points.iter().collect();
    order.sort_by(|a, b| (a.after - a.before).abs().total_cmp(&(b.after - b.before).abs()));
    for point in order {
        let hollow = if point.template { "" } else { " hollow" };
        let _ = writeln!(
            shapes,
            "<circle class=\"{}{hollow}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"4.5\"><title>{}: {} → {}</title></circle>",
            class(point.before, point.after),
            x(point.before),
            y(point.after),
            escape(&point.label),
            score(point.before),
            score(point.after)
        );
    }
    let _ = writeln!(
        shapes,
        "<text class=\"name\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{measure} with {}</text>\
         <text class=\"name\" transform=\"translate(14 {}) rotate(-90)\" text-anchor=\"middle\">{measure} with {}</text>\
         <text class=\"name better\" x=\"{}\" y=\"{}\">better</text>\
         <text class=\"name worse\" x=\"{}\" y=\"{}\" text-anchor=\"end\">worse</text>",
        LEFT + SIDE / 2.0,
        TOP + SIDE + 38.0,
        escape(first),
        TOP + SIDE / 2.0,
        escape(second),
        LEFT + 8.0,
        TOP + 18.0,
        LEFT + SIDE - 8.0,
        TOP + SIDE - 10.0
    );
    let (above, below) = sides(points.iter().map(|point| point.after - point.before));
    let title = format!("{measure} of each query, {first} against {second}");
    let description = format!("A scatter of {} queries: {above} lie above the diagonal, {below} below.", points.len());
    figure(LEFT + SIDE + 16.0, TOP + SIDE + 48.0, &title, &description, &shapes)
}

fn sides(differences: impl Iterator<Item = f64>) -> (usize, usize) {
    differences.fold((0, 0), |(up, down), d| (up + usize::from(d > 1e-9), down + usize::from(d < -1e-9)))
}

/// The change of each query that changed, the greatest gain first: up is better, down is worse.
pub(super) fn differences(points: &[Point], first: &str, second: &str, measure: &str) -> String {
    const LEFT: f64 = 54.0;
    const WIDTH: f64 = 620.0;
    const HEIGHT: f64 = 300.0;
    const TOP: f64 = 12.0;
    let mut changed: Vec<&Point> = points.iter().filter(|p| (p.after - p.before).abs() > 1e-9).collect();
    changed.sort_by(|a, b| (b.after - b.before).total_cmp(&(a.after - a.before)));
    let reach = changed.iter().map(|p| (p.after - p.before).abs()).fold(0.1, f64::max);
    let y = |value: f64| TOP + HEIGHT / 2.0 - value / reach * HEIGHT / 2.0;
    let step = WIDTH / changed.len().max(1) as f64;
    let mut shapes = String::new();
    for tick in [-reach, -reach / 2.0, 0.0, reach / 2.0, reach] {
        let ty = y(tick);
        let _ = writeln!(
            shapes,
            "<path class=\"{}\" d=\"M{LEFT} {ty:.1}H{}\"/><text class=\"tick\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            if tick == 0.0 { "axis" } else { "grid" },
            LEFT + WIDTH,
            LEFT - 7.0,
            ty + 4.0,
            format!("{tick:+.2}").replace('-', "−").replace("+0.00", "0")
        );
    }
    for (at, point) in changed.iter().enumerate() {
        let change = point.after - point.before;
        let (top, bottom) = (y(change.max(0.0)), y(change.min(0.0)));
        let _ = writeln!(
            shapes,
            "<rect class=\"{}\" x=\"{:.2}\" y=\"{top:.1}\" width=\"{:.2}\" height=\"{:.1}\"><title>{}: {}</title></rect>",
            class(point.before, point.after),
            LEFT + at as f64 * step + step * 0.1,
            step * 0.8,
            (bottom - top).max(0.5),
            escape(&point.label),
            difference(change)
        );
    }
    let (up, down) = sides(changed.iter().map(|p| p.after - p.before));
    let _ = writeln!(
        shapes,
        "<text class=\"name\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{} queries that changed, the greatest gain first</text>",
        LEFT + WIDTH / 2.0,
        TOP + HEIGHT + 26.0,
        changed.len()
    );
    let title = format!("Change of {measure} from {first} to {second}, query by query");
    let description = format!("A bar for each query that changed: {up} go up, {down} go down.");
    figure(LEFT + WIDTH + 10.0, TOP + HEIGHT + 38.0, &title, &description, &shapes)
}

/// Bars that grow to the right, in groups; the same index has the same shade in each.
pub(super) fn bars(title: &str, groups: &[(String, Vec<Bar>)]) -> String {
    const LEFT: f64 = 150.0;
    const WIDTH: f64 = 400.0;
    const ROW: f64 = 20.0;
    let most = groups.iter().flat_map(|(_, bars)| bars).map(|bar| bar.value).fold(0.0, f64::max).max(1e-12);
    let mut shapes = String::new();
    let mut described = Vec::new();
    let mut y = 4.0;
    for (name, bars) in groups {
        let _ = writeln!(
            shapes,
            "<text class=\"name\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LEFT - 10.0,
            y + ROW * bars.len() as f64 / 2.0 + 4.0,
            escape(name)
        );
        for (at, bar) in bars.iter().enumerate() {
            let width = (bar.value / most * WIDTH).max(0.5);
            let _ = writeln!(
                shapes,
                "<rect class=\"arm{}\" x=\"{LEFT}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{}\"><title>{}: {}</title></rect>\
                 <text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\">{} {}</text>",
                at.min(5),
                y + 1.0,
                ROW - 3.0,
                escape(&bar.label),
                escape(&bar.shown),
                LEFT + width + 6.0,
                y + ROW - 6.0,
                escape(&bar.label),
                escape(&bar.shown)
            );
            described.push(format!("{name}, {}: {}", bar.label, bar.shown));
            y += ROW;
        }
        y += 10.0;
    }
    figure(LEFT + WIDTH + 190.0, y, title, &format!("Bars. {}.", described.join("; ")), &shapes)
}
