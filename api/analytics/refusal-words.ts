/** What SQL calls a part that a query may well have; other parts are told by the parser's name. */
const sqlWords: Readonly<Record<string, string>> = {
  RangeVar: 'A table',
  RangeTableSample: 'TABLESAMPLE',
  RangeTableFunc: 'XMLTABLE',
  JsonTable: 'JSON_TABLE',
  XmlExpr: 'XML',
  XmlSerialize: 'XML',
  intoClause: 'INTO',
  lockingClause: 'FOR UPDATE or FOR SHARE',
  catalogname: 'the name of a database',
  useOp: 'USING',
  coldeflist: 'a list of column types',
  A_Const: 'A literal',
  bsval: 'bits (B or X before it)',
  JsonIsPredicate: 'IS JSON',
  MergeSupportFunc: 'MERGE_ACTION',
}

/** A name of the parser in words: `InsertStmt` is `INSERT`, `JsonObjectAgg` is `json object agg`. */
export function wordsOf(name: string): string {
  const known = Object.hasOwn(sqlWords, name) ? sqlWords[name] : undefined
  if (known !== undefined) return known
  if (name.endsWith('Stmt')) return spaced(name.slice(0, -4)).toUpperCase()
  return spaced(name).toLowerCase()
}

function spaced(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ')
}

/** A name that the client chose, short and without characters that a terminal acts on. */
export function quoted(name: string): string {
  return `"${name.replace(/[^\w.-]/g, '?').slice(0, 63)}"`
}
