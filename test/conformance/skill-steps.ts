import type { Hex } from 'viem'
import type { Actor } from '../support/actors.ts'
import type { Environment } from '../support/conformance.ts'
import { aKey } from '../support/paying-client.ts'

/** A numbered line of `/skill.md`. */
export interface SkillLine {
  mode: string
  who: 'requester' | 'worker'
  /** Base units; null: free. */
  pays: string | null
  /** The text to sign; null: none. */
  signs: string | null
  /** Whether the step waits for the deadline of bids. */
  waits: boolean
  url: string
  body: string
}

const LINE =
  /^\d+\. (?<waits>after `bidDeadline`, )?(?<who>requester|worker) \((?:pays (?<pays>\d+)|free)(?:, signs `(?<signs>[^`]+)`)?\): `POST (?<url>\S+) (?<body>\{.*\})`$/

/** Every numbered line, by its kind of task. @throws for a numbered line that it cannot read */
export function readSkillLines(text: string): SkillLine[] {
  return text.split('\n### ').flatMap((section) => {
    const [mode = '', ...lines] = section.split('\n')
    return lines
      .filter((line) => /^\d+\./.test(line))
      .map((line) => {
        const found = LINE.exec(line)?.groups
        if (found === undefined) throw new Error(`not a step: ${line}`)
        const { who, pays = null, signs = null, waits, url = '', body = '' } = found
        return { mode, who: who as SkillLine['who'], pays, signs, waits: waits !== undefined, url, body }
      })
  })
}

/** What the steps of one task fill into the next: `taskId`, `pitchId`, and the worker's address. */
export type SkillFacts = Record<string, string>

/** Does one step, as its line says and no more. @returns its answer */
export async function doStep(
  environment: Environment,
  line: SkillLine,
  { actors, facts }: { actors: Record<SkillLine['who'], Actor>; facts: SkillFacts },
): Promise<Record<string, string>> {
  const fill = (text: string, known: SkillFacts) =>
    text.replace(/<(\w+)>/g, (_, name: string) => {
      const value = known[name]
      if (value === undefined) throw new Error(`nothing says what <${name}> is`)
      return value
    })
  const worker = actors.worker.account.address
  const lower = { ...facts, worker: worker.toLowerCase() }
  const actor = actors[line.who]
  const signature =
    line.signs === null ? '' : await actor.account.signMessage({ message: fill(line.signs, lower) as Hex })
  const base64 = Buffer.from('Money waits in trust').toString('base64')
  const body = JSON.parse(fill(line.body, { ...facts, worker, signature, base64 }))
  const path = fill(new URL(line.url).pathname.replaceAll('%3C', '<').replaceAll('%3E', '>'), facts).slice(
    '/api'.length,
  )
  const client = await environment.clientOf(actor)
  const call = { path, body, key: aKey() }
  const reply = line.pays === null ? await client.send(call) : await client.pay(call)
  if (reply.status !== 200) throw new Error(`${line.url}: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body
}
