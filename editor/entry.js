// The code field as an editor. It stands in a shadow tree, because there its style sheets are
// objects and no <style> elements, which the content policy of the site refuses.

import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import {
  HighlightStyle, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting,
} from "@codemirror/language";
import { lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import {
  EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars,
  keymap, lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.bool, tags.null, tags.self], color: "var(--c-key)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--c-str)" },
  { tag: tags.number, color: "var(--c-num)" },
  { tag: [tags.definition(tags.variableName), tags.function(tags.definition(tags.variableName)), tags.className, tags.meta], color: "var(--c-def)" },
  { tag: tags.comment, color: "var(--c-rem)" },
]);

const looks = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", background: "var(--surface)", fontSize: "var(--t-ui)" },
  "&.cm-focused": { outline: "0" }, // the field around it shows the focus
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.65" },
  ".cm-content": { padding: ".5rem 0", caretColor: "var(--accent)" },
  ".cm-cursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  ".cm-gutters": { background: "var(--surface)", color: "var(--ink-3)", border: "0" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "2.75rem", padding: "0 .75rem 0 .5rem" },
  ".cm-activeLine, .cm-activeLineGutter": { background: "color-mix(in srgb, var(--inset) 60%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { background: "var(--d1)" },
  "&.cm-focused .cm-matchingBracket, .cm-matchingBracket": { background: "var(--accent-soft)", outline: "1px solid var(--accent)" },
  "&.cm-focused .cm-nonmatchingBracket, .cm-nonmatchingBracket": { background: "var(--wrong-soft)" },
  ".cm-selectionMatch": { background: "var(--accent-soft)" },
  ".cm-searchMatch": { background: "var(--limit-soft)", outline: "1px solid var(--limit)" },
  ".cm-searchMatch-selected": { background: "var(--d2)" },
  ".cm-panels": { background: "var(--inset)", color: "var(--ink)", borderColor: "var(--line)" },
  ".cm-panel input, .cm-panel button": { font: "var(--t-ui) var(--sans)", color: "var(--ink)", background: "var(--surface)", border: "1px solid var(--edge)", borderRadius: "var(--r1)", backgroundImage: "none" },
  ".cm-panel label": { font: "var(--t-ui) var(--sans)" },
  ".cm-tooltip": { background: "var(--surface)", color: "var(--ink)", border: "1px solid var(--line)", font: "var(--t-ui)/1.5 var(--sans)", maxWidth: "32rem" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--wrong) 1px", textUnderlineOffset: "4px" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--wrong)" },
});

/**
 * Put an editor in the place of a field, which goes on holding the code.
 *
 * @param {HTMLTextAreaElement} area
 * @param {{submit: () => boolean, run: () => boolean}} acts
 */
export function upgrade(area, acts) {
  const holder = area.parentElement;
  const host = document.createElement("div");
  host.className = "host";
  const root = host.attachShadow({ mode: "open" });
  holder.append(host);

  // Tab indents. After Escape it leaves for two seconds, and Ctrl-M changes it for good: the
  // editor's own ways out, so that nobody is caught in it.
  const indents = keymap.of([{ key: "Tab", run: indentMore, shift: indentLess }]);

  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: area.value,
      extensions: [
        // Before the default keys, which have meanings of their own for Mod-Enter.
        keymap.of([
          { key: "Mod-Enter", run: acts.submit },
          { key: "Mod-'", run: acts.run },
        ]),
        lineNumbers(),
        highlightSpecialChars(),
        history(),
        drawSelection(),
        EditorState.allowMultipleSelections.of(true),
        EditorState.tabSize.of(4),
        indentUnit.of("    "),
        EditorState.phrases.of(JSON.parse(area.dataset.phrases)),
        indentOnInput(),
        bracketMatching(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        highlightSelectionMatches(),
        search({ top: true }),
        python(),
        syntaxHighlighting(colours),
        looks,
        EditorView.contentAttributes.of({
          tabindex: "0",
          "aria-label": area.getAttribute("aria-label"), spellcheck: "false", autocapitalize: "off",
        }),
        indents,
        keymap.of([...searchKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          area.value = update.state.doc.toString();
          area.dispatchEvent(new Event("input", { bubbles: true }));
        }),
      ],
    }),
  });
  holder.classList.add("live");

  return {
    view,
    focus: () => view.focus(),
    set(source) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: source } });
    },
    underline(found) {
      const doc = view.state.doc;
      const marks = found.map(({ line, column, message }) => {
        const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
        // Columns count characters as Python does; the editor counts UTF-16 units.
        const from = at.from + [...at.text].slice(0, column - 1).join("").length;
        const start = Math.min(from, at.to);
        const word = /^[\w.]+|^\S/u.exec(at.text.slice(start - at.from));
        const to = Math.min(start + Math.max(word?.[0].length ?? 1, 1), doc.length);
        return { from: Math.min(start, to), to, severity: "error", message };
      });
      marks.sort((a, b) => a.from - b.from);
      view.dispatch(setDiagnostics(view.state, marks));
    },
  };
}
