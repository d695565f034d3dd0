/** A JSON answer of the admin listener. */
export function adminJson(status: number, body: unknown): Response {
  return Response.json(body, { status });
}

/** A refusal of the admin listener: `{"erro": …}`, the message in Portuguese with the mend. */
export function adminErro(status: number, erro: string): Response {
  return adminJson(status, { erro });
}
