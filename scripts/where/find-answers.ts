import { findNearest } from '../../protocol/text/find-nearest.ts'
import { actionKind } from './kinds/actions.ts'
import { columnKind, marketTableKind } from './kinds/columns.ts'
import { errorKind, functionKind } from './kinds/contracts.ts'
import { declarationKind } from './kinds/declarations.ts'
import { detailKind, reasonKind } from './kinds/details.ts'
import { eventKind } from './kinds/events.ts'
import { logKind } from './kinds/log-kinds.ts'
import { loopKind } from './kinds/loops.ts'
import { pathKind } from './kinds/paths.ts'
import { routeKind } from './kinds/routes.ts'
import { analystViewKind, serviceTableKind } from './kinds/service-tables.ts'
import { alertKind, constantKind, metricKind, settingKind } from './kinds/tables.ts'
import { valueKind } from './kinds/values.ts'
import { type Match, searchWords } from './search-words.ts'
import type { Kind, Row, Sources } from './sources.ts'

/** The answer for one name that a question can mean. */
export interface Answer {
  /** Title of the kind of name. Example: `event`. */
  kind: string
  name: string
  rows: Row[]
}

/**
 * The result for a question. If the question is a known name, it has answers. Otherwise it has the nearest names, and
 * places that contain words of the question.
 */
export interface Answers {
  answers: Answer[]
  nearest: string[]
  matches: Match[]
}

/** All kinds of names, in the order of their answers. */
export const kinds: readonly Kind[] = [
  routeKind,
  pathKind,
  eventKind,
  columnKind,
  marketTableKind,
  actionKind,
  loopKind,
  settingKind,
  constantKind,
  detailKind,
  reasonKind,
  metricKind,
  alertKind,
  serviceTableKind,
  analystViewKind,
  functionKind,
  errorKind,
  logKind,
  valueKind,
]

/** Kinds of names such as `task.status`. A question may also contain only the part after the dot. */
const dottedKinds = [columnKind, serviceTableKind, analystViewKind]

/**
 * Answers a question: a name of any kind, or words.
 *
 * @example findAnswers(sources, 'TaskCompleted').answers[0]?.kind // 'event'
 */
export function findAnswers(sources: Sources, question: string): Answers {
  const askedText = question.trim()
  const answersNamed = (of: readonly Kind[], isMeant: (name: string) => boolean) =>
    of.flatMap((kind) =>
      kind
        .names(sources)
        .filter(isMeant)
        .map((name) => ({ kind: kind.title, name, rows: kind.rows(sources, name) })),
    )
  const exactAnswers = answersNamed(kinds, (name) => isAsked(name, askedText))
  if (exactAnswers.length > 0) return { answers: dropRepeats(exactAnswers), nearest: [], matches: [] }
  const answers = [
    ...answersNamed([declarationKind], (name) => isAsked(name, askedText)),
    ...answersNamed(dottedKinds, (name) => isAsked(name.split('.')[1] ?? '', askedText)),
  ]
  if (answers.length > 0) {
    // A plain word may be meant as a word too.
    return { answers, nearest: [], matches: /^[a-z]+$/.test(askedText) ? searchWords(sources, askedText) : [] }
  }
  return {
    answers: [],
    nearest: /\s/.test(askedText) ? [] : listNearest(sources, askedText),
    matches: searchWords(sources, askedText),
  }
}

/** Lists the name of each kind that is most similar to the question. */
function listNearest(sources: Sources, askedText: string): string[] {
  const nearestNames = kinds.map((kind) => {
    const names = kind.names(sources)
    return (
      findNearest(askedText, names, 3) ??
      findNearest(
        askedText,
        names.flatMap((name) => name.split('.')[1] ?? []),
        3,
      )
    )
  })
  return [...new Set(nearestNames.flatMap((name) => name ?? []))]
}

/**
 * Returns true if a question means a name. Upper and lower case do not matter, and the schema `market` may be left out.
 * For a route, the method and the leading `/api` may be left out, and the path may have any values as parameters.
 */
function isAsked(name: string, askedText: string): boolean {
  if (name.startsWith('/')) return name === askedText.replace(/^[A-Za-z]+ (?=\/)/, '')
  if (name.includes(' /')) return isRoute(name, askedText)
  const [one, other] = [name, askedText.replace(/^market[.]/, '')].map((text) => text.toLowerCase())
  return one === other || toSnake(name) === toSnake(askedText)
}

function toSnake(name: string): string {
  return /[.]/.test(name) ? name : name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
}

function isRoute(name: string, askedText: string): boolean {
  const [, method, path] = /^(?:([A-Za-z]+) )?(?:\/api(?=\/))?(\/[^?]*)/.exec(askedText) ?? []
  if (path === undefined) return false
  const [namedMethod, namedPath = ''] = name.split(' ')
  if (method !== undefined && method.toUpperCase() !== namedMethod) return false
  const [one, other] = [namedPath, path.replace(/(?<=.)\/$/, '')].map((text) => text.split('/'))
  return one?.length === other?.length && one?.every((step, index) => isStep(step, other?.[index] ?? '')) === true
}

function isStep(step: string, askedText: string): boolean {
  if (!step.startsWith('{')) return step === askedText
  return /^[{:<]|^0x|^\d/.test(askedText)
}

/** Removes repeated answers. A write has several names, and each of them gives the same answer. */
function dropRepeats(answers: readonly Answer[]): Answer[] {
  const texts = answers.map(({ kind, rows }) => kind + JSON.stringify(rows))
  return answers.filter((_, index) => texts.indexOf(texts[index] ?? '') === index)
}
