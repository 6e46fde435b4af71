import type { PollOptions } from '../verification/submit.ts'

/** Environment and output of a command, from the process that runs it. */
export interface CommandIo {
  env: { DEPLOYER_KEY?: string | undefined; ETHERSCAN_API_KEY?: string | undefined }
  say: (line: string) => void
  /** Polling of verifiers. */
  polling?: PollOptions
}
