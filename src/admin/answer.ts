export function adminJson(status: number, body: unknown): Response {
  return Response.json(body, { status });
}

/** A refusal by the admin listener: `{"erro": …}`, with a Portuguese message that says how to correct the request. */
export function adminErro(status: number, erro: string): Response {
  return adminJson(status, { erro });
}

/** A fault of a file or folder. @param what was not done. */
export function fileFault(what: string, error: unknown): Response {
  const reason = error instanceof Error ? error.message.split('\n', 1).join('') : String(error);
  return adminErro(500, `${what} (${reason}); confira espaço e permissões`);
}

/** A `Content-Security-Policy` that allows only the given sources. */
export function contentPolicy(...allowed: readonly string[]): string {
  const others = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];
  return ["default-src 'none'", ...allowed, ...others].join('; ');
}
