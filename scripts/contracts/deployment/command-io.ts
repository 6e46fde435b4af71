import type { PollOptions } from '../verification/submit.ts'

/** The environment variables and the output of a command. The process that runs the command passes them. */
export interface CommandIo {
  env: { DEPLOYER_KEY?: string | undefined; ETHERSCAN_API_KEY?: string | undefined }
  say: (line: string) => void
  /** Interval and time limit for polling the services that verify source code. */
  polling?: PollOptions
}
