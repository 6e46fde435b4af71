import { statusMoves, terminalStatuses } from '../../protocol/rules/task-status.ts'

/** The states of a task as a Mermaid diagram: an arrow a pair of statuses, with the events that cause it. */
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
