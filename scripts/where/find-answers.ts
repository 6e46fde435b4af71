import { findNearest } from '../../protocol/text/find-nearest.ts'
import { actionKind } from './kinds/actions.ts'
import { columnKind, marketTableKind } from './kinds/columns.ts'
import { errorKind, functionKind } from './kinds/contracts.ts'
import { detailKind, reasonKind } from './kinds/details.ts'
import { eventKind } from './kinds/events.ts'
import { loopKind } from './kinds/loops.ts'
import { pathKind } from './kinds/paths.ts'
import { routeKind } from './kinds/routes.ts'
import { analystViewKind, serviceTableKind } from './kinds/service-tables.ts'
import { alertKind, constantKind, metricKind, settingKind } from './kinds/tables.ts'
import { type Match, searchWords } from './search-words.ts'
import type { Kind, Row, Sources } from './sources.ts'

/** An answer to a name. */
export interface Answer {
  /** Title of its kind. Example: `event`. */
  kind: string
  name: string
  rows: Row[]
}

/** The result for a question: answers to a name, else the nearest names and the places with the words of the question. */
export interface Answers {
  answers: Answer[]
  nearest: string[]
  matches: Match[]
}

/** The kinds in the order in which they answer. */
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
]

/** Kinds whose names are asked for without their table or schema too. */
const dotted = [columnKind, serviceTableKind, analystViewKind]

/**
 * Answers a question: a name of any kind, or words.
 *
 * @example findAnswers(sources, 'TaskCompleted').answers[0]?.kind // 'event'
 */
export function findAnswers(sources: Sources, question: string): Answers {
  const asked = question.trim()
  const named = (of: readonly Kind[], isMeant: (name: string) => boolean) =>
    of.flatMap((kind) =>
      kind
        .names(sources)
        .filter(isMeant)
        .map((name) => ({ kind: kind.title, name, rows: kind.rows(sources, name) })),
    )
  const exact = named(kinds, (name) => isAsked(name, asked))
  const answers = exact.length > 0 ? exact : named(dotted, (name) => isAsked(name.split('.')[1] ?? '', asked))
  if (answers.length > 0) return { answers: dropRepeats(answers), nearest: [], matches: [] }
  return {
    answers: [],
    nearest: /\s/.test(asked) ? [] : listNearest(sources, asked),
    matches: searchWords(sources, asked),
  }
}

/** The nearest name of each kind. */
function listNearest(sources: Sources, asked: string): string[] {
  const nearest = kinds.map((kind) => {
    const names = kind.names(sources)
    return (
      findNearest(asked, names, 3) ??
      findNearest(
        asked,
        names.flatMap((name) => name.split('.')[1] ?? []),
        3,
      )
    )
  })
  return [...new Set(nearest.flatMap((name) => name ?? []))]
}

/** A name without regard to case and to the schema `market`; a route without method, below `/api`, and with any parameters. */
function isAsked(name: string, asked: string): boolean {
  if (name.startsWith('/')) return name === asked.replace(/^[A-Za-z]+ (?=\/)/, '')
  if (name.includes(' /')) return isRoute(name, asked)
  const [one, other] = [name, asked.replace(/^market[.]/, '')].map((text) => text.toLowerCase())
  return one === other || toSnake(name) === toSnake(asked)
}

function toSnake(name: string): string {
  return /[.]/.test(name) ? name : name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
}

function isRoute(name: string, asked: string): boolean {
  const [, method, path] = /^(?:([A-Za-z]+) )?(?:\/api(?=\/))?(\/[^?]*)/.exec(asked) ?? []
  if (path === undefined) return false
  const [namedMethod, namedPath = ''] = name.split(' ')
  if (method !== undefined && method.toUpperCase() !== namedMethod) return false
  const [one, other] = [namedPath, path.replace(/(?<=.)\/$/, '')].map((text) => text.split('/'))
  return one?.length === other?.length && one?.every((step, index) => isStep(step, other?.[index] ?? '')) === true
}

function isStep(step: string, asked: string): boolean {
  if (!step.startsWith('{')) return step === asked
  return /^[{:<]|^0x|^\d/.test(asked)
}

/** A write has several names, and one answer. */
function dropRepeats(answers: readonly Answer[]): Answer[] {
  const texts = answers.map(({ kind, rows }) => kind + JSON.stringify(rows))
  return answers.filter((_, index) => texts.indexOf(texts[index] ?? '') === index)
}
