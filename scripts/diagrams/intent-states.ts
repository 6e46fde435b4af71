import { type IntentMove, intentMoves, openingMoves } from './intent-moves.ts'

/**
 * Returns the statuses of an intent as a Mermaid diagram, followed by a table of the statements that change the status.
 * An intent is the stored record of a write.
 */
export function toIntentStates(): string {
  const moves = [...openingMoves, ...intentMoves]
  const causesByPair = new Map<string, string[]>()
  for (const { from, to, cause } of moves) {
    for (const status of from) {
      if (status === to) continue
      const pair = `${status} --> ${to}`
      causesByPair.set(pair, [...(causesByPair.get(pair) ?? []), cause])
    }
  }
  const arrows = [...causesByPair].map(([pair, causes]) => `  ${pair}: ${[...new Set(causes)].join(', ')}`)
  return `\`\`\`mermaid
stateDiagram-v2
${arrows.join('\n')}
\`\`\`

| from | to | cause | statement |
| --- | --- | --- | --- |
${moves.map(toRow).join('\n')}
`
}

function toRow({ from, to, cause, statement }: IntentMove): string {
  return `| ${from.map(nameOf).join(', ')} | ${nameOf(to)} | ${cause} | \`${statement}\` |`
}

/** Returns the name of a status for the table; `none` for \`[*]\`, which means that no row exists. */
function nameOf(state: string): string {
  return state === '[*]' ? 'none' : state
}
