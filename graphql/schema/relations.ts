import { columnOf, type MarketColumn, type MarketTable, tableOf, tables } from './tables.ts'

/** A field of a row that leads to rows of another table. */
export interface Relation {
  name: string
  description: string
  /** Column of the row with the field. */
  from: MarketColumn
  to: MarketTable
  /** Column of `to` with the same value. */
  by: MarketColumn
  isList: boolean
}

/** Target of a column name, in every table: the table, and the field that leads to its row. */
const references: Record<string, { table: string; field: string }> = {
  taskId: { table: 'task', field: 'task' },
  vaultId: { table: 'sponsoredVault', field: 'sponsoredVault' },
  agentId: { table: 'identity', field: 'identity' },
  requester: { table: 'agent', field: 'requesterAgent' },
  worker: { table: 'agent', field: 'workerAgent' },
  evaluator: { table: 'agent', field: 'evaluatorAgent' },
}

/** Lists of tasks with a name other than `tasks`. */
const listNames: Record<string, string> = { 'task.worker': 'assignedTasks', 'task.evaluator': 'evaluatedTasks' }

/**
 * Returns the relations of a table: from its columns that reference a row, and back from columns of other tables. A list
 * leads back only if an index supports it; otherwise each row would read a whole table.
 */
export function relationsOf(table: MarketTable): Relation[] {
  return [...table.columns.values()].flatMap((column) => rowNamedBy(table, column)).concat(rowsThatName(table))
}

function rowNamedBy(table: MarketTable, column: MarketColumn): Relation[] {
  const reference = references[column.name]
  if (reference === undefined || reference.table === table.name) return []
  const to = tableOf(reference.table)
  const by = to.key
  const description = `The row of ${to.name} that \`${column.name}\` names; null: it has none.`
  return by === column ? [] : [{ name: reference.field, description, from: column, to, by, isList: false }]
}

function rowsThatName(table: MarketTable): Relation[] {
  return Object.entries(references).flatMap(([name, reference]) => {
    if (reference.table !== table.name) return []
    return tables.flatMap((to): Relation[] => {
      if (to === table || !to.columns.has(name)) return []
      const by = columnOf(to, name)
      const description = `The ${to.plural} whose \`${name}\` is this row.`
      const relation = { description, from: table.key, to, by }
      if (by === to.key) return [{ ...relation, name: to.name, isList: false }]
      return by.isIndexed ? [{ ...relation, name: listNames[`${to.name}.${name}`] ?? to.plural, isList: true }] : []
    })
  })
}
