/**
 * Returns the file that represents a deliverable: the first with role `final`, else the first file; null without files.
 * @param files in display order
 */
export function mainFileOf<File extends { role: string }>(files: readonly File[]): File | null {
  return files.find(({ role }) => role === 'final') ?? files[0] ?? null
}
