import { readFileSync } from 'node:fs'
import { explainVetoes, parseErrors } from '../../../protocol/hook-veto.ts'
import { CliError, exits, type Io } from './io.ts'

/**
 * Reads the custom errors of an ABI file. All later output of the tool names these errors. Example: with
 * `--abi errors.json`, the tool prints `with SubmittedBefore(0x14dC…) (HookVetoed)`.
 * @throws CliError when the file cannot be read, or contains no errors
 */
export function explainErrorsOf(io: Io, file: string): void {
  const errors = readErrors(file)
  const { out, err } = io
  io.out = (text) => out(explainVetoes(text, errors))
  io.err = (text) => err(explainVetoes(text, errors))
}

function readErrors(file: string) {
  try {
    return parseErrors(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new CliError(`--abi ${file}: ${error instanceof Error ? error.message : 'unreadable'}`, exits.usage)
  }
}
