import type { PollOptions } from '../verification/submit.ts'

/** Environment and output of a command, given by the process that runs it. */
export interface CommandIo {
  env: { DEPLOYER_KEY?: string | undefined; ETHERSCAN_API_KEY?: string | undefined }
  say: (line: string) => void
  /** How verifiers are asked for their results. */
  polling?: PollOptions
}
