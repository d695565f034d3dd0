/**
 * The general words of decisions, by class, so that a sentence only joins what belongs together. Under
 * `# class` stand its nouns in the masculine (`m`) and the feminine (`f`), its adjectives in the
 * masculine singular (`a`; each must suit every noun of the class), whole phrases with their article
 * (`x`, parted by bars), and what may be done to its members (`v`: regular verbs only, so that the
 * endings of morphology.ts are right). The most usual come first.
 */
export const CLASSES = `
# prova
m laudo documento depoimento relatório parecer contrato extrato recibo testemunho atestado comprovante formulário boletim
m prontuário registro cadastro holerite contracheque termo questionário estudo memorial croqui mapa áudio vídeo bilhete
m cupom carnê canhoto romaneio manifesto memorando dossiê regulamento panfleto cartaz livro caderno diário receituário
m encaminhamento sumário hemograma eletrocardiograma levantamento telegrama aditivo recorte
m orçamento inventário balanço demonstrativo cheque boleto protocolo ofício organograma cronograma folheto anúncio exame
f perícia planilha certidão declaração fotografia gravação ata ficha nota fatura mensagem cópia carta guia matrícula
f escritura procuração anotação folha tabela apólice vistoria avaliação auditoria filmagem notificação tela radiografia
a juntado apresentado produzido impugnado idôneo unilateral genérico detalhado coerente incompleto extemporâneo legível
a ilegível autêntico minucioso divergente anexado exibido colhido assinado datado recente antigo inédito sigiloso público
a particular oficial decisivo insuficiente robusto frágil isolado uniforme digitalizado manuscrito adulterado encartado
a rasurado sucinto extenso preciso vago imparcial tendencioso fidedigno confiável duvidoso avulso impresso escrito reservado
a apócrifo controvertido preexistente superveniente reproduzido solicitado requisitado remetido arquivado protocolado
a numerado rubricado carimbado periciado corroborado
a mencionado referido traduzido original extraviado retificado complementar contemporâneo conclusivo inconclusivo lacônico
v examinar valorar apreciar analisar cotejar confrontar impugnar apresentar juntar exibir colher desconsiderar invalidar
v refutar infirmar corroborar contestar desqualificar requisitar complementar ratificar retificar renovar repelir descartar
v afastar reexaminar valorizar ponderar sopesar avaliar conferir desentranhar autenticar homologar interpretar desmentir
v transcrever mencionar anexar encartar assinar questionar ignorar
# pedido
m pedido pleito requerimento
f pretensão postulação demanda
a inicial formulado deduzido sucessivo subsidiário alternativo principal acessório cumulado genérico reconvencional
a indenizatório condenatório declaratório constitutivo revisional possessório autoral inovador contraposto recursal liminar
a antecipatório renovado remanescente implícito expresso
v acolher rejeitar deferir indeferir julgar apreciar formular renovar reiterar analisar examinar limitar aditar
v alterar emendar delimitar fundamentar ampliar reformular restringir enfrentar especificar esclarecer desmembrar
# decisao
m acórdão julgado despacho pronunciamento
f decisão sentença
a recorrido impugnado agravado embargado hostilizado guerreado combatido vergastado singular colegiado monocrático
a fundamentado lacônico genérico omisso contraditório obscuro liminar interlocutório homologatório extintivo condenatório
a ilíquido líquido terminativo definitivo questionado atacado anterior posterior paradigma primevo regional
v reformar anular cassar confirmar impugnar atacar desafiar invalidar desconstituir rescindir revogar modificar
v complementar integrar executar cumprir descumprir suspender reconsiderar prestigiar ratificar proferir prolatar
v restabelecer publicar aclarar referendar
# recurso
m recurso agravo apelo inconformismo reclamo
f insurgência irresignação apelação
a interposto tempestivo intempestivo deserto adesivo genérico infundado dissociado prejudicado renovado
a desfundamentado voluntário manejado principal subsequente idêntico simultâneo obreiro patronal defensivo
v receber inadmitir admitir julgar apreciar examinar acolher rejeitar manejar fundamentar instruir processar sobrestar
v destrancar conhecer apresentar protocolar preparar
# quantia
m valor montante crédito saldo débito índice percentual
f quantia importância verba parcela multa indenização cifra diferença soma dívida prestação
x os juros de mora|a correção monetária|as custas processuais|a verba honorária|o valor da causa
x a multa cominatória|as astreintes|a base de cálculo|o termo inicial dos juros|o índice de atualização
a devido indevido incontroverso controvertido pago depositado cobrado executado apurado atualizado arbitrado fixado módico
a excessivo exorbitante irrisório razoável proporcional ilíquido remanescente residual vencido vincendo mensal
a anual semanal global parcial histórico nominal corrigido consignado bloqueado levantado retido descontado pactuado estornado
a pleiteado parcelado homologado quitado estimado
v fixar arbitrar majorar minorar elevar limitar calcular recalcular apurar atualizar corrigir restituir devolver pagar
v depositar cobrar afastar compensar parcelar quitar adequar revisar abater descontar executar impugnar liquidar
v complementar liberar levantar consignar readequar estornar ressarcir
# norma
x o princípio da legalidade|o devido processo legal|o contraditório|a ampla defesa|a segurança jurídica
x o princípio da isonomia|a proteção da confiança|o duplo grau de jurisdição|a proporcionalidade|a razoabilidade
x o ato jurídico perfeito|o direito adquirido|a dignidade da pessoa humana|a inafastabilidade da jurisdição
x a cooperação processual|a primazia do julgamento de mérito|a economia processual|a duração razoável do processo
x a regra da congruência|a vedação ao enriquecimento sem causa|a motivação das decisões judiciais
x a irretroatividade da lei|a vedação à decisão surpresa|a paridade de armas|o juiz natural
x a instrumentalidade das formas|a vedação ao comportamento contraditório|a publicidade dos atos
x a cláusula de reserva de plenário|o livre convencimento motivado|a estabilidade da jurisprudência
x a literalidade do dispositivo|a hierarquia das normas|a finalidade da norma|a irrepetibilidade dos atos findos
x a unidade da Constituição|a interpretação restritiva das exceções|a vedação à reforma para pior
x a regra de transição|o espírito da lei
# honra
v observar respeitar prestigiar resguardar concretizar assegurar preservar garantir tutelar proteger reafirmar
# viola
v violar contrariar afrontar desrespeitar vulnerar desprezar ofender malferir infringir olvidar inobservar mitigar
v relativizar descumprir sacrificar esvaziar aniquilar abandonar ignorar burlar contornar
# ato
f citação intimação audiência perícia diligência penhora avaliação notificação publicação oitiva juntada habilitação remessa
f vistoria expedição carga substituição inspeção acareação degravação
m bloqueio arquivamento cálculo apensamento desmembramento sobrestamento levantamento julgamento cadastramento
m aditamento chamamento depósito
a determinado realizado designado anterior posterior pessoal prévio irregular tardio oportuno
a eletrônico presencial virtual urgente complementar indispensável desnecessário pendente redesignado
a ordenado formal
v determinar realizar anular repetir renovar designar adiar cancelar dispensar ordenar promover concretizar efetivar
v suspender condicionar aguardar autorizar indeferir deferir convalidar antecipar documentar certificar
# requisito
x o nexo causal|a boa-fé|o prejuízo|a urgência da medida|a probabilidade do direito|o perigo de dano|a má-fé
x a hipossuficiência econômica|a legitimidade da parte|o interesse processual|a tempestividade|a relação jurídica
x o inadimplemento|o vício de consentimento|a ilicitude da conduta|a extensão do dano
x o fato constitutivo do direito|a culpa exclusiva de terceiro|o caso fortuito|a força maior|o erro material
x a omissão apontada|a verossimilhança do alegado|o fato impeditivo|a alteração das circunstâncias
x a ciência inequívoca|o abuso do direito|o excesso apontado|a vulnerabilidade da parte
x a regularidade da representação|a autenticidade da assinatura|o preparo recursal|o dissídio jurisprudencial
x a posse de estado|o justo impedimento|o recolhimento das custas|a resistência à pretensão|a conduta protelatória
x a contradição interna|o adimplemento substancial|a data do fato|a imprevisibilidade do evento|a desídia da parte
v demonstrar comprovar evidenciar presumir configurar caracterizar provar alegar afastar reconhecer justificar aferir
v questionar discutir verificar apontar reafirmar identificar constatar admitir confirmar detalhar
# elemento
x a autoria|a materialidade|o dolo|a gravidade concreta da conduta|o elemento subjetivo do tipo
x a tipicidade da conduta|o nexo entre a conduta e o resultado|o periculum libertatis
x a justa causa para a ação penal|a reiteração delitiva|a primariedade|a culpabilidade|os maus antecedentes
x a personalidade do agente|a confissão espontânea|a cadeia de custódia|a excludente de ilicitude
x o estado de necessidade|a inexigibilidade de conduta diversa|a reincidência específica
x o vínculo entre os corréus|o prejuízo à defesa|a licitude da prova|a participação de menor importância
x a motivação do crime|o animus necandi|a periculosidade do agente|o arrependimento posterior|o concurso formal
x a continuidade delitiva
v demonstrar comprovar evidenciar presumir configurar caracterizar provar negar afastar reconhecer justificar aferir
v questionar discutir verificar apontar reafirmar identificar constatar admitir confirmar detalhar valorar
# fato
m atraso erro descumprimento cancelamento desconto extravio abandono engano desacordo incidente episódio conflito
m desentendimento acordo ajuste pagamento encontro telefonema aviso convite afastamento retorno repasse empréstimo contato
m bloqueio desvio tumulto adiantamento acerto equívoco
f demora falha recusa cobrança interrupção suspensão ameaça negligência imprudência ausência omissão conversa reunião visita
f viagem mudança entrega devolução promessa tratativa troca perda assinatura negociação ofensa advertência intervenção
f proibição
a injustificado alegado noticiado comprovado reiterado isolado prolongado grave leve eventual sucessivo imprevisto
a involuntário deliberado pontual apontado incontroverso narrado recorrente inesperado documentado ocasional repentino
a ostensivo breve súbito discreto confuso gradual habitual rotineiro informal inoportuno tumultuado combinado confirmado
a amistoso tenso verbal inútil tardio prévio inicial parcial noturno público
v comprovar demonstrar alegar negar admitir confessar noticiar relatar presenciar provar reconhecer apurar registrar
v esclarecer investigar narrar descrever justificar minimizar ocultar filmar comunicar testemunhar
# mostra
v demonstrar comprovar revelar evidenciar confirmar indicar atestar registrar apontar mencionar noticiar esclarecer
v certificar explicitar
# reforma
v reformar anular cassar invalidar desconstituir modificar revogar alterar infirmar
# profere
v proferir prolatar reconsiderar suspender complementar integrar publicar cumprir ratificar retificar executar confirmar
# aprecia
v examinar reexaminar valorar apreciar analisar cotejar confrontar ponderar sopesar reavaliar interpretar conferir
v reapreciar revisitar revolver
# junta
v apresentar juntar exibir anexar colacionar encartar complementar carrear mostrar
# impugna
v impugnar contestar refutar infirmar desqualificar questionar desmentir repelir
# decide
v acolher rejeitar deferir indeferir julgar apreciar limitar examinar analisar
# ordena
v determinar realizar anular repetir renovar designar adiar cancelar dispensar ordenar antecipar efetivar suspender
# postula
v postular providenciar promover solicitar acompanhar custear impugnar aguardar
# prova_bem
v demonstrar comprovar evidenciar provar apontar identificar detalhar justificar caracterizar explicitar documentar
# afasta
v afastar infirmar negar descaracterizar contestar desmentir refutar rechaçar
# assume
v admitir reconhecer confessar comunicar noticiar informar relatar
`;

/** Manner adverbs that suit what a court or a party does. */
export const ADVERBS = words(`
devidamente expressamente efetivamente corretamente regularmente adequadamente suficientemente oportunamente integralmente
parcialmente exclusivamente formalmente validamente tempestivamente previamente pessoalmente claramente detalhadamente
minuciosamente cabalmente satisfatoriamente inequivocamente expressivamente reiteradamente exaustivamente
especificamente pontualmente conjuntamente prudentemente 
acertadamente fundamentadamente motivadamente 
documentalmente originariamente
posteriormente concomitantemente espontaneamente voluntariamente deliberadamente serenamente objetivamente
tecnicamente juridicamente rigorosamente estritamente criteriosamente ponderadamente concretamente
`);

/** What may open a sentence, with its comma. */
export const OPENERS = `
No caso|Na espécie|In casu|Com efeito|Nesse contexto|Na hipótese dos autos|De fato|Ademais|Outrossim|Desse modo|
No caso concreto|Nesse passo|Por outro lado|Além disso|Ao contrário do alegado|Como se vê|Nessa linha|
Nesse cenário|De igual modo|Por conseguinte|A propósito|Em verdade|Sob essa ótica|Sob outro enfoque|De todo modo|
Em suma|Nessa quadra|Por fim|Em arremate|Mutatis mutandis|A contrario sensu|Ad argumentandum tantum|Prima facie|
A fortiori|Lado outro|Noutro giro|Não obstante|Ao que consta|Deveras|Registre-se que, na origem|No particular|
Na situação em tela|Data venia|Concessa venia|Em reforço|Na mesma toada|No ponto|Em síntese|Pelo que se apurou|
Diante desse quadro
`
  .trim()
  .split(/\|\s*/u);

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/u);
}
