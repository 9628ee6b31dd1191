"""Tools for those who write problems: folders, the gate, mutants, templates, previews."""
