import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { repositoryRoot } from '../../ops/process/paths.ts'

/** The comments of a table and of its columns in the files of src/schema. Names of columns are those of SQL. */
export interface TableComments {
  about: string
  columns: Map<string, string>
}

const schemaFolder = join(repositoryRoot, 'src', 'schema')

/**
 * Reads the doc block of every table and the comment above every column, also of the columns that `position` adds
 * (position.ts). A column without a comment is left out. In the comments, names of columns and tables in backticks
 * become those of SQL: `taskId` becomes `task_id`.
 */
export function readSchemaComments(): Map<string, TableComments> {
  const tables = new Map<string, TableComments>()
  const position = readPosition()
  for (const file of readdirSync(schemaFolder).sort()) {
    const { source, text } = parse(file)
    for (const statement of source.statements.filter(ts.isVariableStatement)) {
      for (const { initializer } of statement.declarationList.declarations) {
        const name = findTableName(initializer)
        if (name === null || initializer === undefined) continue
        const positionEntries = initializer.getText().includes('...position(t)') ? [...position] : []
        const columns = new Map([...readColumns(initializer, text), ...positionEntries])
        tables.set(name, { about: commentOf(statement, text), columns })
      }
    }
  }
  return tables
}

/** Reads the comments of the columns of `position` (position.ts). Tables include these columns by `...position(t)`. */
function readPosition(): Map<string, string> {
  const { source, text } = parse('position.ts')
  return readColumns(source, text)
}

function parse(file: string): { source: ts.SourceFile; text: string } {
  const text = readFileSync(join(schemaFolder, file), 'utf8')
  return { source: ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true), text }
}

/**
 * Returns the first argument of a call `onchainTable(...)`, which is the table's name; null if the node is no such
 * call.
 */
function findTableName(node: ts.Expression | undefined): string | null {
  if (node === undefined || !ts.isCallExpression(node) || node.expression.getText() !== 'onchainTable') return null
  const [name] = node.arguments
  return name !== undefined && ts.isStringLiteral(name) ? name.text : null
}

function readColumns(table: ts.Node, text: string): Map<string, string> {
  const columns = new Map<string, string>()
  const visit = (node: ts.Node) => {
    if (ts.isPropertyAssignment(node) && node.initializer.getText().startsWith('t.')) {
      const comment = commentOf(node, text)
      if (comment !== '') columns.set(toSnakeCase(node.name.getText()), comment)
    }
    ts.forEachChild(node, visit)
  }
  visit(table)
  return columns
}

/** Returns the doc block right before a node, as one paragraph. */
function commentOf(node: ts.Node, text: string): string {
  const ranges = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []
  const last = ranges.map(({ pos, end }) => text.slice(pos, end)).findLast((comment) => comment.startsWith('/**'))
  return (last ?? '')
    .replace(/^\/\*\*|\*\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\*?\s*/, '').trim())
    .join(' ')
    .trim()
    .replaceAll(/`[^`]+`/g, (code) => code.replaceAll(/\b[a-z]+([A-Z][a-z]*)+/g, toSnakeCase))
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
