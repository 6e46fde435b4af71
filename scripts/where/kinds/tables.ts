import { type Code, lineAt, literal } from '../code.ts'
import { fieldOf, type Kind, listEntries, listUses, programFolders, type Row, type TableEntry } from '../sources.ts'

const settings = 'settings/table.ts'
const metrics = ['metrics/service-metrics.ts', 'metrics/upkeep-metrics.ts', 'metrics/process-metrics.ts']
const constants = 'api/constants.ts'
const alerts = 'ops/prometheus/rules.yml'

/** Kind of name: settings of the programs. Example: `DATABASE_URL`. */
export const settingKind: Kind = {
  title: 'setting',
  names: ({ code }) => listEntries(code, settings, /[A-Z]\w+/).map(({ name }) => name),
  rows: ({ code }, name) => [
    ...entriesOf(code, [settings], name).map((place) => ({
      label: 'setting',
      place,
      text: fieldOf(place.text, 'meaning') ?? '',
    })),
    ...entriesOf(code, [settings], name).flatMap(({ text }) => [
      { label: 'default', text: [fieldOf(text, 'default') ?? 'none', fieldOf(text, 'unit')].filter(Boolean).join(' ') },
      { label: 'allowed', text: /schema: (.*?),?$/m.exec(text)?.[1] ?? '' },
      { label: 'read by', text: /readBy: (.*?),?$/m.exec(text)?.[1]?.replace(/[[\]']/g, '') ?? '' },
    ]),
    ...listUses(code, name, { label: 'used', folders: programFolders, except: settings }),
    ...listUses(code, name, { label: 'docs', folders: ['docs/'] }).slice(0, 6),
  ],
}

/** Kind of name: constants of the service that no operator sets. Example: `UPLOADS_OPEN`. */
export const constantKind: Kind = {
  title: 'constant of the service',
  names: ({ code }) => listConstants(code).map(({ name }) => name),
  rows: ({ code }, name) => [
    ...listConstants(code)
      .filter((constant) => constant.name === name)
      .map((place) => ({ label: 'constant', place, text: place.text })),
    ...listUses(code, name, { label: 'docs', folders: ['docs/'] }).slice(0, 4),
    ...usesOf(code, name),
  ],
}

function usesOf(code: Code, name: string): Row[] {
  const pattern = new RegExp(`\\b${literal(name)}\\b`, 'm')
  const uses = code.findAll(pattern, ...programFolders).filter(({ path }) => path !== constants)
  return uses
    .filter(({ path }, index) => uses.findIndex((use) => use.path === path) === index)
    .map((place) => ({ label: 'used', place }))
}

/** Lists the constants of `api/constants.ts`. `text` is the constant's value and the comment above it. */
export function listConstants(code: Code): TableEntry[] {
  const text = code.textOf(constants)
  const entries = text.matchAll(/(?:^ {2}\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?^ {2}([A-Z][A-Z_]+): (.*),$/gm)
  return [...entries].map(({ 0: entry, 1: comment = '', 2: name = '', 3: value = '', index }) => ({
    path: constants,
    line: lineAt(text, index + entry.lastIndexOf('\n') + 1),
    name,
    text: `${value}  ${comment.replace(/\s+\*?\s*/g, ' ').trim()}`.trim(),
  }))
}

/** Kind of name: metrics of the programs. Example: `taskmarket_up`. */
export const metricKind: Kind = {
  title: 'metric',
  names: ({ code }) => metrics.flatMap((path) => listEntries(code, path).map(({ name }) => name)),
  rows: ({ code }, name) => [
    ...entriesOf(code, metrics, name).map((place) => ({
      label: 'metric',
      place,
      text: fieldOf(place.text, 'meaning') ?? '',
    })),
    ...listUses(code, name, {
      label: 'set',
      folders: ['api/', 'graphql/', 'ops/indexer/', 'ops/standby/', 'metrics/disk', 'metrics/inst'],
    }),
    ...code
      .findAll(new RegExp(`\\b${name}\\b`, 'm'), alerts)
      .map((place) => ({ label: 'alert', place, text: alertAt(code, place.line) })),
    ...listUses(code, name, { label: 'panel', folders: ['metrics/dashboards/'] }),
    ...listUses(code, name, { label: 'docs', folders: ['docs/'] }).slice(0, 4),
    ...listUses(code, name, { label: 'tests', folders: ['test/'] }).slice(0, 4),
  ],
}

/** Kind of name: alerts of Prometheus. Example: `NoServiceProcess`. */
export const alertKind: Kind = {
  title: 'alert',
  names: ({ code }) => [...code.textOf(alerts).matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name),
  rows: ({ code }, name) => {
    const [, rule = ''] =
      new RegExp(`- alert: ${literal(name)}\\n([^]*?)(?=- alert:|$(?![^]))`).exec(code.textOf(alerts)) ?? []
    const field = (key: string) => new RegExp(`${key}: (.*)`).exec(rule)?.[1] ?? ''
    return [
      ...code
        .findAll(new RegExp(`- alert: ${name}$`, 'm'), alerts)
        .map((place) => ({ label: 'alert', place, text: field('summary') })),
      { label: 'rule', text: field('expr') },
      { label: 'page', text: field('runbook_url') },
      ...listUses(code, name, { label: 'tests', folders: ['ops/prometheus/rules.test'] }),
    ]
  },
}

function entriesOf(code: Code, paths: readonly string[], name: string): TableEntry[] {
  return paths.flatMap((path) => listEntries(code, path)).filter((entry) => entry.name === name)
}

/** Returns the name of the alert whose rule contains a line of the rules file. */
function alertAt(code: Code, line: number): string {
  const lines = code.linesOf(alerts).slice(0, line)
  return /alert: (\w+)/.exec(lines.findLast((text) => text.includes('- alert:')) ?? '')?.[1] ?? ''
}
