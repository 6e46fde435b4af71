#!/usr/bin/env node
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Io } from './io.ts'
import { runCli } from './program.ts'

const { stdin, stdout, stderr } = process
const isTerminal = stdout.isTTY === true && stdin.isTTY === true

// A reader that closes the pipe early, such as `head`, ends the output but not the command.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

const io: Io = {
  env: process.env,
  isTerminal,
  width: stdout.columns ?? 120,
  startedAt: performance.timeOrigin,
  out: (text) => stdout.write(text),
  err: (text) => stderr.write(text),
  ask: async (question, isSecret) => {
    if (!isTerminal) return null
    stderr.write(question)
    const output = isSecret ? new Writable({ write: (_chunk, _encoding, onDone) => onDone() }) : stderr
    const prompt = createInterface({ input: stdin, output, terminal: true })
    const endOfInput = new Promise<null>((resolve) => prompt.once('close', () => resolve(null)))
    const answer = await Promise.race([prompt.question('').catch(() => null), endOfInput])
    prompt.close()
    if (isSecret) stderr.write('\n')
    return answer
  },
}

process.exitCode = await runCli(process.argv.slice(2), io)
