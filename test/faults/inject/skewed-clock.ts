import { readFileSync, renameSync, writeFileSync } from 'node:fs'

/**
 * A preload (`node --import`): the wall clock of this process is off by what a file says. SIGWINCH, which no service
 * ends at, reads the file again, so the clock can jump while the process runs. `performance`, `process.hrtime` and
 * timers run on, as they do when an operator sets a machine's clock.
 */
const file = process.env.SKEWED_CLOCK_FILE
if (file === undefined) throw new Error('SKEWED_CLOCK_FILE names no file')

let skewMilliseconds = readSkew(file)
const RealDate = Date

class SkewedDate extends RealDate {
  constructor(...args: [] | ConstructorParameters<typeof Date>) {
    if (args.length === 0) super(SkewedDate.now())
    else super(...args)
  }

  static override now(): number {
    return RealDate.now() + skewMilliseconds
  }
}

// A Date that is called, not constructed, is a text of now.
globalThis.Date = new Proxy(SkewedDate, { apply: () => new SkewedDate().toString() }) as unknown as DateConstructor

process.on('SIGWINCH', () => {
  skewMilliseconds = readSkew(file)
  acknowledge(file)
})
acknowledge(file)

/** Milliseconds by which the clock is ahead; negative when it is behind. */
function readSkew(path: string): number {
  const skew = Number(readFileSync(path, 'utf8'))
  if (!Number.isFinite(skew)) throw new Error(`${path} holds no number`)
  return skew
}

/** Says which skew this process goes by. */
function acknowledge(path: string): void {
  const written = `${path}.${process.pid}`
  writeFileSync(`${written}.unfinished`, String(skewMilliseconds))
  renameSync(`${written}.unfinished`, written)
}
