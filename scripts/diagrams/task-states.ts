import { statusMoves, terminalStatuses } from '../../protocol/rules/task-status.ts'

/**
 * Returns the statuses of a task as a Mermaid diagram. The diagram has an arrow for each change from one status to
 * another, with the events that cause the change.
 */
export function toTaskStates(): string {
  const eventsByPair = new Map<string, string[]>()
  for (const [event, pairs] of Object.entries(statusMoves)) {
    for (const [from, to] of pairs) {
      if (from === to) continue
      const pair = `${from} --> ${to}`
      eventsByPair.set(pair, [...(eventsByPair.get(pair) ?? []), event])
    }
  }
  const arrows = [...eventsByPair].map(([pair, events]) => `  ${pair}: ${events.join(', ')}`)
  const ends = terminalStatuses.map((status) => `  ${status} --> [*]`)
  return `\`\`\`mermaid\nstateDiagram-v2\n  [*] --> open: TaskCreated\n${[...arrows, ...ends].join('\n')}\n\`\`\`\n`
}
