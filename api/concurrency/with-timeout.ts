/**
 * Returns the result of `work`, or null if it takes longer than `milliseconds`; the work is not stopped then. Errors of
 * `work` are thrown.
 */
export async function withTimeout<Result>(work: Promise<Result>, milliseconds: number): Promise<Result | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, milliseconds, null)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
