import type { Answers } from './find-answers.ts'
import type { Row } from './sources.ts'

/**
 * Renders answers for a terminal, one row per line. A label is printed only if it differs from that of the row before.
 */
export function renderAnswers({ answers, nearest, matches }: Answers, question: string): string {
  return [
    ...answers.map(({ kind, name, rows }) => [`${name} (${kind})`, ...renderRows(rows), ''].join('\n')),
    ...(answers.length === 0 ? [`Nothing is named ${question}.`] : []),
    ...nearest.map((name) => `The nearest name: ${name}`),
    ...(matches.length === 0 ? [] : ['These have its words:']),
    ...renderRows(
      matches.map(({ name, text, ...place }) => ({
        label: '',
        place,
        text: text === '' ? name : `${name}: ${text}`.slice(0, 160),
      })),
    ),
  ]
    .join('\n')
    .trimEnd()
}

function renderRows(rows: readonly Row[]): string[] {
  return rows.map(({ label, place, text = '' }, index) => {
    const shownLabel = label === rows[index - 1]?.label ? '' : label
    const where = place === undefined ? '' : `${place.path}:${place.line}`
    return `  ${shownLabel.padEnd(10)}${[where, text].filter((part) => part !== '').join('  ')}`
  })
}
