/** Checks delivered files against their manifest. */
export function startVerification(): void {}
