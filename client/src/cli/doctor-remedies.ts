/** The names of the checks that the command `doctor` makes. */
export const checks = ['service', 'version', 'deployment', 'node', 'clock', 'wallet', 'balance', 'limits'] as const
export type Check = (typeof checks)[number]

/** The next step after each failed check: one sentence that names a command or a setting. */
export const remedies: Readonly<Record<Check, string>> = {
  service: 'Check TASK_MARKET_URL (or --url): the root of the service, without /api; on a local stack, run npm start.',
  version: 'Check TASK_MARKET_URL: its /api/health is not that of this service.',
  deployment:
    'Name the deployment of this service by TASK_MARKET_DEPLOYMENT (of a local stack: .local/stack.json), or the URL of the ' +
    'service of this deployment.',
  node: 'Check TASK_MARKET_RPC_URL (or --rpc): a node of this chain; without one the client asks the service.',
  clock: 'Set the clock of this machine by NTP, such as `timedatectl set-ntp true`.',
  wallet: 'Make one by `task-market wallet new`, and name its file in TASK_MARKET_KEYSTORE.',
  balance: 'Send USDC on this chain to the address of the wallet.',
  limits:
    'Correct the files of the wallet that the line names, or make TASK_MARKET_HOME a folder that it can write to.',
}

/**
 * Returns the doctor's closing sentence; null if no check failed. The sentence names the first failed check and the
 * remedy for this check. Example: `2 of 7 checks failed; begin with service: Check TASK_MARKET_URL ...`
 */
export function closingSentence(findings: readonly { check: Check; ok: boolean }[]): string | null {
  const failures = findings.filter(({ ok }) => !ok)
  const [first] = failures
  if (first === undefined) return null
  const count = `${failures.length} of ${findings.length} checks failed`
  return `${count}; ${failures.length > 1 ? 'begin with ' : ''}${first.check}: ${remedies[first.check]}`
}
