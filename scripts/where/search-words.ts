import { lineAt, type Place } from './code.ts'
import { commentAbove } from './comments.ts'
import { declaredIn } from './declared.ts'
import { toColumn } from './kinds/events.ts'
import { logKind } from './kinds/log-kinds.ts'
import { loopKind } from './kinds/loops.ts'
import { listConstants } from './kinds/tables.ts'
import { fieldOf, listEntries, type Sources } from './sources.ts'
import { synonyms } from './synonyms.ts'

/** A declaration, an entry of a table or a heading that contains words of the question. */
export interface Match extends Place {
  name: string
  /** First sentence of the declaration's comment; for an entry of a table, its meaning. */
  text: string
}

/** Words that are ignored in a question, because they occur almost everywhere. */
const emptyWords = new Set(
  'a after an and any are at be before by can come comes decide decided do does find for from get gets happen happens has have how i in is it its made make many may much of on or set that the their there they this to used was what when where which who whose why will with'.split(
    ' ',
  ),
)

/** Lists at most `maximum` places whose names or comments contain words of a question, the best first. */
export function searchWords(sources: Sources, question: string, maximum = 8): Match[] {
  const asksForTests = /\b(?:tests?|proves?)\b/i.test(question)
  const replacedText = phrases.reduce((text, [phrase, words]) => text.replaceAll(phrase, words), question)
  const stems = stemsOf(replacedText.replace(asksForTests ? /\b(?:tests?|proves?)\b/gi : /\blives?\W*$/, ''))
  const askedStems = [...new Set(stems)].filter((word) => !emptyWords.has(word))
  const candidates = candidatesOf(sources, asksForTests ? testTitles : listCandidates)
  const spellings = askedStems.map((word) => [word, ...(synonymsOf.get(word) ?? [])])
  const weights = new Map(spellings.map((words) => [words, weightOf(words, candidates)]))
  const scoredCandidates = candidates.map(({ match, name, text }) => {
    let score = 0
    let foundCount = 0
    for (const [words, weight] of weights) {
      const part = hasAny(name, words) ? 1.5 : hasAny(text, words) ? 1 : 0
      score += weight * part
      foundCount += Math.min(part, 1)
    }
    // Many of the words say more than a rare one of them.
    return { match, score: (score * foundCount) / weights.size }
  })
  const rankedCandidates = scoredCandidates
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
  const matches = rankedCandidates.map(({ match }) => match)
  const isOneOfTwo = ({ path }: Match, index: number) =>
    matches.slice(0, index).filter((other) => other.path === path).length < 2
  const isFewColumns = ({ path }: Match, index: number, list: readonly Match[]) =>
    !path.startsWith(SCHEMA) || list.slice(0, index).filter((other) => other.path.startsWith(SCHEMA)).length < 3
  return matches
    .slice(0, 10 * maximum)
    .filter(isOneOfTwo)
    .filter(isFewColumns)
    .slice(0, maximum)
}

/**
 * Folder of the indexer's columns. The columns contain most words about the market, so the number of their lines in a
 * result is limited.
 */
const SCHEMA = 'src/schema/'

/** The entries of `synonyms` that consist of several words. */
const phrases = Object.entries(synonyms).filter(([word]) => word.includes(' '))
const synonymsOf = new Map(Object.entries(synonyms).map(([word, others]) => [stemOf(word), stemsOf(others)]))

function hasAny(text: ReadonlySet<string>, words: readonly string[]): boolean {
  return words.some((word) => text.has(word))
}

/**
 * Returns the weight of a word of the question. A word that occurs in few places has more weight than a frequent one.
 */
function weightOf(words: readonly string[], candidates: readonly Words[]): number {
  const matchCount = candidates.filter(({ name, text }) => hasAny(name, words) || hasAny(text, words)).length
  return Math.log(1 + candidates.length / (1 + matchCount))
}

function wordsOf({ name, path, text, kind, comment = text }: Candidate): { name: Set<string>; text: Set<string> } {
  const file = path.endsWith('.md') ? '' : path.replace(/^.*\//, '').replace(/[.]\w+$/, '')
  const ownWords = kind === 'column' ? name.replace(/^.*[.]/, '') : `${name} ${file}`
  return { name: new Set(stemsOf(ownWords)), text: new Set(stemsOf(`${path} ${name} ${comment} ${kind}`)) }
}

function stemsOf(text: string): string[] {
  const words =
    text
      .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  return words.filter((word) => word.length > 1 && !emptyWords.has(word)).map(stemOf)
}

/**
 * Returns the stem of a word. Examples: `stemOf('refunded')` and `stemOf('refunds')` return `refund`;
 * `stemOf('migrations')` and `stemOf('migrate')` return `migrat`.
 */
function stemOf(word: string): string {
  if (word.length < 5) return word.replace(/(?<=\w{3})s$/, '')
  return word
    .replace(/ies$/, 'y')
    .replace(/(?:ing|ed|es|s)$/, '')
    .replace(/(?<=\wat)ion$/, '')
    .replace(/e$/, '')
}

type List = (sources: Sources) => Candidate[]

const wordsByList = new Map([testTitles, listCandidates].map((list) => [list, new WeakMap<Sources, Words[]>()]))

interface Words {
  match: Match
  name: Set<string>
  text: Set<string>
}

/** Returns the candidates of a list with the words of their names and comments. The words are computed once. */
function candidatesOf(sources: Sources, list: List): Words[] {
  const words = wordsByList.get(list)?.get(sources) ?? list(sources).map((match) => ({ match, ...wordsOf(match) }))
  wordsByList.get(list)?.set(sources, words)
  return words
}

interface Candidate extends Match {
  /** Words for the kind of the candidate, which a question may contain. */
  kind: string
  /** The whole comment, if `text` is only a part of it. */
  comment?: string
}

function listCandidates(sources: Sources): Candidate[] {
  const { code } = sources
  const ofTables = Object.entries(kindOfTable).flatMap(([path, kind]) =>
    listEntries(code, path).map(({ text, name, line }) => ({
      path,
      line,
      name,
      text: fieldOf(text, 'meaning') ?? '',
      kind,
    })),
  )
  const columns = sources.tables.flatMap((table) =>
    [...table.columns].map(([column, place]) => ({
      ...place,
      name: `${table.name}.${toColumn(column)}`,
      text: commentAbove(sources.code, place).whole,
      kind: 'column',
    })),
  )
  const loops = loopKind.names(sources).flatMap((name) => {
    const runs = loopKind.rows(sources, name).filter(({ label }) => label === 'runs' || label === 'uses')
    const [first] = runs.flatMap(({ place }) => place ?? [])
    const texts = runs.map(
      ({ place, text = '' }) => `${text} ${place === undefined ? '' : commentAbove(sources.code, place).whole}`,
    )
    return first === undefined
      ? []
      : [{ ...first, name: `loop ${name}`, text: texts.join(' '), kind: 'background loop' }]
  })
  // The page of events has a heading with the words of every other kind.
  const ownKinds = logKind.names(sources).filter((name) => !name.includes('.'))
  const logKinds = ownKinds.flatMap((name) => {
    const [row] = logKind.rows(sources, name)
    const { place, text = '' } = row ?? {}
    return place === undefined
      ? []
      : [{ path: place.path, line: place.line, name, text, kind: 'event entry of streams and receivers of webhooks' }]
  })
  return [
    ...ofTables,
    ...logKinds,
    ...listConstants(code).map((constant) => ({ ...constant, kind: 'limit setting' })),
    ...columns,
    ...loops,
    ...serviceTables(code),
    ...code.paths.flatMap((path) => declaredWords(sources, path)),
  ]
}

/** Lists the tables of the service. Their comments are the definitions of their columns. */
function serviceTables(code: Sources['code']): Candidate[] {
  const paths = code.paths.filter((path) => path.startsWith('api/db/migrations/'))
  return paths.flatMap((path) => {
    const text = code.textOf(path)
    const tables = text.matchAll(/^create table (service[.]\w+) \(([\s\S]*?)^\)/gm)
    return [...tables].map(({ 1: name = '', 2: comment = '', index }) => ({
      path,
      line: lineAt(text, index),
      name,
      text: 'a table of the service',
      comment,
      kind: 'table',
    }))
  })
}

const kindOfTable: Readonly<Record<string, string>> = {
  'settings/table.ts': 'setting',
  'protocol/details.ts': 'error detail refuse refusal',
  'metrics/service-metrics.ts': 'metric',
  'metrics/upkeep-metrics.ts': 'metric',
  'metrics/process-metrics.ts': 'metric',
}

/** Lists the headings of a document, or the exported names and the constants of a file of code. */
function declaredWords({ code }: Sources, path: string): Candidate[] {
  // Every decision has the same headings below its title.
  if (path.endsWith('.md'))
    return headings(code.linesOf(path), path, path.includes('/decisions/') ? /^# (.*)$/ : /^#+ (.*)$/)
  if (isTest(path)) return []
  return declaredIn(code, path)
    .filter(({ isExported, value }) => isExported || value !== undefined)
    .map((declared) => {
      const { whole, firstSentence } = commentAbove(code, declared)
      const text = [declared.value, firstSentence].filter(Boolean).join('  ')
      return { ...declared, text, comment: whole, kind: declared.value === undefined ? '' : 'constant' }
    })
}

function isTest(path: string): boolean {
  return /^(?:contracts\/)?test\//.test(path)
}

function headings(lines: readonly string[], path: string, pattern: RegExp): Candidate[] {
  return lines.flatMap((line, index) => {
    const name = pattern.exec(line)?.[1]
    return name === undefined ? [] : [{ path, line: index + 1, name, text: '', kind: '' }]
  })
}

/** Lists the titles of tests, and the names of the invariants that tests check. */
function testTitles({ code }: Sources): Candidate[] {
  const title =
    /^\s*(?:(?:it|test|describe)(?:[.]\w+.*\))?|[\])}]+\))\(\s*(?:'(.*?)',|"(.*?)",)|^\s*'(given .*)',$|^\s*'(.*)': \[$|\bviolationsOf\('(.*?)'|^ {4}function ((?:test|invariant)\w*)|^export (?:async )?function (\w+)/
  return code.paths
    .filter((path) => isTest(path) && !path.endsWith('.md'))
    .flatMap((path) =>
      code.linesOf(path).flatMap((line, index) => {
        const name = title.exec(line)?.slice(1).find(Boolean)
        if (name === undefined) return []
        const place = { path, line: index + 1 }
        const { whole, firstSentence } = commentAbove(code, place)
        return [{ ...place, name, text: firstSentence, comment: whole, kind: 'test' }]
      }),
    )
}
