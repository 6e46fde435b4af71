/**
 * `node scripts/settings.ts`: writes docs/operate/settings.md and .env.example from the table of settings
 * (settings/table.ts).
 *
 *   --check    writes nothing, and exits with 1 if one of the files differs from the table
 */
import { readOptions } from '../ops/process/read-options.ts'
import { programs, type Setting, table } from '../settings/table.ts'
import { generatedBy } from './generated-by.ts'
import { linkPages } from './link-pages.ts'
import { writeGenerated } from './write-generated.ts'

const { values } = readOptions({ options: { check: { type: 'boolean', default: false } } })
const header = generatedBy('scripts/settings.ts', 'settings/table.ts')
const settings: [string, Setting][] = Object.entries(table)
const files = new Map([
  ['docs/operate/settings.md', linkPages(toPage(), 'docs/operate/settings.md')],
  ['.env.example', toEnvironmentFile()],
])

const isStale = writeGenerated(files, {
  isCheck: values.check,
  script: 'scripts/settings.ts',
  source: 'settings/table.ts',
})
process.exit(values.check && isStale ? 1 : 0)

function toPage(): string {
  const rows = settings.map(([name, setting]) => {
    const { unit = '', isSecret, meaning, readBy } = setting
    const cells = [`\`${name}\``, readBy.join(', '), defaultOf(setting), unit, isSecret ? 'yes' : '', meaning]
    return `| ${cells.join(' | ')} |`
  })
  return `# Settings

${header}

Look up every setting of every program. Settings are variables of the environment of ${list(programs.map((program) => `\`${program}\``))}, read once at the start
(\`npm run api\`). All programs may share one file of them (\`.env.example\`): each reads its own. Everything else is a constant of \`api/constants.ts\`, \`graphql/limits.ts\` and the
like: quotas, times and sizes, each with its reason.

- An empty variable is an absent one.
- A secret may be in a file: \`URL_SIGNING_SECRET_FILE=/run/credentials/api.service/url-signing-secret\`. The end of its last line and a
  byte order mark are no part of it.
- A name that is one letter away from a setting of any program, or two from ten letters on, is refused as misspelt. Other unknown names
  are named in one warning, but for those that shells, systemd, Kubernetes, Node, libpq and clouds set.
- A program that cannot start ends with 1 and one line of JSON: \`{"level":60,"program":"api","setting":"DATABASE_URL","problem":"...",
  "msg":"start refused"}\`. \`problems\` has all of them when there are several.

| setting | read by | default | unit | secret | meaning |
|---|---|---|---|---|---|
${rows.join('\n')}

\`LOCAL_CONSTANTS\` and \`FAILPOINT\` are refused where the deployment file does not say \`"local": true\`.
`
}

function defaultOf({ default: value, readBy, neededBy = [] }: Setting): string {
  if (value === '') return 'empty'
  if (value !== undefined) return `\`${value}\``
  if (neededBy.length === 0) return 'none'
  return neededBy.length === readBy.length ? 'needed' : `needed by ${neededBy.join(', ')}`
}

function toEnvironmentFile(): string {
  const lines = settings
    .filter(([name]) => name !== 'LOCAL_CONSTANTS' && name !== 'FAILPOINT')
    .map(([name, setting]) => {
      const { meaning, unit, default: value, neededBy } = setting
      const sentence = `${meaning.replaceAll('`', '')}${unit === undefined ? '' : ` (${unit})`}`
      const line = value === undefined ? `${neededBy === undefined ? '#' : ''}${name}=` : `#${name}=${value}`
      return `# ${setting.readBy.join(', ')}: ${sentence}\n${line}\n`
    })
  return `# ${header}
# One file for all programs: each reads its own settings. What begins with #NAME has that default. docs/operate/settings.md

${lines.join('\n')}`
}

function list(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
