import { generatedBy } from '../generated-by.ts'
import type { ColumnFacts, MarketFacts } from './column-facts.ts'
import type { SchemaTexts, ViewTexts } from './market-texts.ts'

const INTRODUCTION = `# Tables

${generatedBy('scripts/schema/dump-schema.ts', 'the comments of src/schema')}

Look up every table and column of the read model. There is one view a table in the Postgres schema \`market\`, and two more,
\`indexed_head\` and \`ledger\`. Only the indexer writes. The database has the same texts as comments of the views and
their columns (\`\\d+ market.task\` in psql), and GraphQL as descriptions.

Amounts are base units, addresses and hashes lower-case hex, times Unix seconds unless a column says otherwise. \`→\`
names the key that a column holds. \`GET /api/sql/schema\` answers all of this as JSON.

Tables whose rows have a place in the chain have five columns at their end:

`

/** The accounts between which the rows of the ledger move money. */
const ACCOUNTS = `\`analytics.ledger\` has the same rows, without the last four columns and with the name of the operation. It stays when what it is made from changes.

| account | at | what it holds |
| --- | --- | --- |
| \`escrow:<task>\`, \`stake:<task>\` | market | the reward of a task, and the stake of its worker |
| \`credit:<wallet>\` | market | payouts that the token refused: two rows, that of the payout to the wallet and \`credited\` from it |
| \`service_fees\` | forwarder | what paid relays leave |
| \`prepaid:<payer>\` | forwarder | all other USDC that the payer sent it. A relay of such money is \`prepaid_used\` back to the payer beside the rows of its call. Below zero where the payment of a cancelled authorization was given back from what others had sent |
| \`bonus_reserve\`, \`bonus:<wallet>\` | programme | reward tokens that are free, gifts among them, and those that a wallet can claim |
| \`vault:<vault>\`, \`vault_reserved:<vault>\`, \`vault_owed:<vault>\`, \`vault_fees:<vault>\` | vault | its four totals; \`<vault>\` is the address of its contract |
| \`unassigned:<contract>\` | contract | what strangers, or other contracts of ours, sent past the functions. No balance for a vault: transfers of others to it are no rows, and what its exit returns of them is |
`

const positionColumns = ['block_number', 'block_timestamp', 'transaction_hash', 'transaction_index', 'log_index']

/** The data dictionary in Markdown. */
export function tableDictionary({ views }: SchemaTexts, facts: MarketFacts): string {
  const positionTable = tableOf(positionColumns, { texts: views.task, facts: facts.task })
  const sections = Object.entries(views).map(([name, texts]) => sectionOf(name, { texts, facts: facts[name] }))
  return `${[INTRODUCTION + positionTable, ...sections].join('\n\n')}\n`
}

interface View {
  texts: ViewTexts | undefined
  facts: Record<string, ColumnFacts> | undefined
}

function sectionOf(name: string, { texts, facts }: View): string {
  const columns = Object.keys(facts ?? {})
  const hasPosition = positionColumns.every((column) => columns.includes(column))
  const ownColumns = columns.filter((column) => !hasPosition || !positionColumns.includes(column))
  const parts = [`## ${name}`, texts?.about ?? '', tableOf(ownColumns, { texts, facts })]
  if (hasPosition) parts.push('And the five columns of its place in the chain.')
  if (name === 'ledger') parts.push(ACCOUNTS.trim())
  return parts.join('\n\n')
}

function tableOf(columns: readonly string[], { texts, facts }: View): string {
  const rows = columns.map((name) => {
    const text = (texts?.columns[name] ?? '').replaceAll('|', '\\|')
    const column = facts?.[name]
    return `| ${name} | ${column?.type ?? ''} | ${notesOf(column)} | ${text} |`
  })
  return ['| column | type | | meaning |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

function notesOf(column: ColumnFacts | undefined): string {
  if (column === undefined) return ''
  const { isKey, isNullable, references } = column
  const notes = [isKey ? 'key' : '', isNullable ? 'nullable' : '', references === null ? '' : `→ ${references}`]
  return notes.filter((note) => note !== '').join(', ')
}
