import type { Command } from 'commander'
import type { Finding } from '../verify/expected.ts'
import { CliError, exits, type Io } from './io.ts'
import { TASK_ID } from './offered-command.ts'
import { openClient } from './session.ts'
import { type Options, whole } from './task-writes.ts'
import { cleanText, toSafeJson } from './text.ts'

/** Adds the command `verify`, which compares the service's answer about a task with the user's own node. */
export function addVerifyCommand(program: Command, io: Io): void {
  program
    .command('verify')
    .description(
      'compare what the service answers about a task with your own node (--rpc); exit code 1 where it differs',
    )
    .argument('<taskId>')
    .option('--block <height>', 'compare with this block in place of the one that the answer names', whole)
    .action(async (taskId: string, _: Options, self: Command) => {
      const { block, json, ...options } = self.optsWithGlobals()
      if (!TASK_ID.test(taskId)) throw new CliError('A task id has 64 hex digits behind 0x.', exits.usage)
      const client = await openClient(io, options)
      if (client.context.chain === null) {
        throw new CliError('Name a node of yours: --rpc, or TASK_MARKET_RPC_URL.', exits.usage)
      }
      let shownPercent = -1
      const onProgress = (doneBlocks: number, of: number) => {
        const percent = Math.floor((doneBlocks / of) * 10) * 10
        if (percent > shownPercent && percent < 100) io.err(`logs of ${of} blocks: ${percent} %\n`)
        shownPercent = percent
      }
      const verification = await client.verify(taskId, { ...(block !== undefined && { block }), onProgress })
      const { findings } = verification
      const countOf = (status: Finding['status']) => findings.filter((finding) => finding.status === status).length
      const counts = { verified: countOf('verified'), differs: countOf('differs'), unknowable: countOf('unknowable') }
      if (!io.isTerminal || json === true) io.out(`${toSafeJson({ ...verification, ...counts })}\n`)
      else {
        for (const finding of findings) if (finding.status !== 'verified') io.out(`${cleanText(lineOf(finding))}\n`)
        const { verified, differs, unknowable } = counts
        io.out(
          `block ${verification.block}: ${verified} fields verified, ${differs} differ, ${unknowable} unknowable off chain\n`,
        )
      }
      if (!verification.isVerified) throw new CliError(`${counts.differs} fields differ from the chain.`, exits.differs)
    })
}

function lineOf({ path, status, service, chain, why }: Finding): string {
  if (status === 'unknowable') return `unknowable ${path}: ${why}`
  return `differs ${path || 'task'}: the service has ${JSON.stringify(service)}, the chain ${JSON.stringify(chain)} (${why})`
}
