import { keep, type Piece } from './pieces.ts';

/** Words of the world that cases come from, by the slot that draws them; parted by bars, usual ones first. */
const WORLD: Readonly<Record<string, string>> = {
  /** Occupations, after "como" or "de". */
  ocup: `
auxiliar de limpeza|vigilante|motorista|vendedor|pedreiro|operador de caixa|auxiliar administrativo|professor|
técnico de enfermagem|lavrador|cozinheiro|mecânico|porteiro|eletricista|soldador|ajudante geral|garçom|
carpinteiro|padeiro|açougueiro|frentista|estoquista|tratorista|balconista|recepcionista|operador de máquinas|
pintor|serralheiro|zelador|encanador|gari|repositor|caseiro|jardineiro|vaqueiro|cortador de cana|pescador|
marceneiro|torneiro mecânico|fresador|caldeireiro|ferramenteiro|montador de móveis|operador de empilhadeira|
conferente|almoxarife|embalador|tecelão|tintureiro|sapateiro|curtidor|ourives|gráfico|encadernador|telefonista|
operador de telemarketing|digitador|programador|analista de sistemas|contador|farmacêutico|fisioterapeuta|
nutricionista|psicólogo|dentista|veterinário|agrônomo|topógrafo|agrimensor|geólogo|químico|bibliotecário|
jornalista|fotógrafo|locutor|músico|treinador de futebol|árbitro|bombeiro civil|salva-vidas|aeronauta|
comissário de bordo|estivador|marinheiro|mergulhador|maquinista|manobrista|cobrador de ônibus|motoboy|taxista|
caminhoneiro|guincheiro|operador de guindaste|mineiro de subsolo|blaster|garimpeiro|ceramista|oleiro|vidraceiro|
calceteiro|gesseiro|azulejista|telhadista|ladrilheiro|apicultor|avicultor|ordenhador|tosquiador|seringueiro|
castanheiro|carvoeiro|lenhador|viveirista|salineiro|massagista|inspetor de alunos|coveiro|agente funerário|
leiloeiro|tradutor|despachante|corretor de imóveis|representante comercial|propagandista|promotor de vendas|
fiscal de loja|tesoureiro|bancário|escriturário|agente comunitário de saúde|agente de endemias|guarda municipal|
agente penitenciário|escrivão|oficial de justiça|radiologista|anestesista|maqueiro|condutor de ambulância
`,
  /** The same, of women. */
  ocupa: `
auxiliar de limpeza|vendedora|lavradora|professora|técnica de enfermagem|cozinheira|operadora de caixa|
costureira|faxineira|cuidadora de idosos|babá|rendeira|artesã|marisqueira|manicure|cabeleireira|esteticista|
camareira|lavadeira|passadeira|governanta|merendeira|pedagoga|instrumentadora|bailarina|enfermeira|secretária|
atendente|telefonista|padeira|confeiteira|balconista|recepcionista|bordadeira|doméstica|dona de casa|pescadora|
assistente social|fisioterapeuta|bancária|contadora|zeladora|porteira|vigilante|motorista|copeira|salgadeira|
monitora de creche|bibliotecária|tecelã|embaladeira|catadora de recicláveis|boia-fria`,
  /** Lines of business, after "ramo de". */
  ramo: `
transporte de cargas|construção civil|vestuário|calçados|móveis|autopeças|laticínios|panificação|telefonia|
informática|segurança privada|limpeza urbana|hotelaria|turismo|mineração|siderurgia|metalurgia|celulose|cimento|
tintas|plásticos|fertilizantes|defensivos agrícolas|sementes|rações|avicultura|suinocultura|piscicultura|
cafeicultura|fruticultura|floricultura|silvicultura|carnes|pescados|grãos|açúcar e álcool|cervejas|
águas minerais|refrigerantes|biscoitos|massas alimentícias|chocolates|cosméticos|perfumaria|higiene pessoal|
farmácia|materiais cirúrgicos|próteses|óptica|joias|bijuterias|brinquedos|papelaria|livros|gráfica|publicidade|
eventos|cinema|jogos eletrônicos|academias de ginástica|ensino a distância|cursos de idiomas|consórcios|seguros|
factoring|cobranças|corretagem|incorporação imobiliária|terraplenagem|pavimentação|saneamento|energia solar|
energia eólica|gás natural|combustíveis|lubrificantes|pneus|motocicletas|caminhões|implementos agrícolas|
aviação agrícola|navegação de cabotagem|armazenagem|logística|encomendas expressas|vigilância eletrônica|
elevadores|refrigeração|eletrodomésticos|colchões|cerâmica|vidros|mármores e granitos|esquadrias|madeiras|
embalagens|papelão|reciclagem|sucatas|fundição|galvanoplastia|tecidos|fiação|couros|lavanderia industrial|
restaurantes coletivos|buffets|funerária|estacionamentos|call center|hospedagem de sites|aplicativos|
criptoativos|meios de pagamento|fertilização assistida|diagnóstico por imagem|hemodiálise|home care|veterinária`,
  /** Known diseases, without article. */
  mal: `
hérnia de disco lombar|diabetes mellitus|depressão grave|hipertensão arterial|neoplasia maligna de mama|
esclerose múltipla|artrite reumatoide|lúpus eritematoso sistêmico|epilepsia|transtorno do espectro autista|
esquizofrenia|transtorno bipolar|doença de Parkinson|mal de Alzheimer|cardiopatia grave|
insuficiência renal crônica|hepatite C|HIV|fibromialgia|tendinopatia do ombro|síndrome do túnel do carpo|
espondilose cervical|lombociatalgia|gonartrose|coxartrose|osteoporose|bursite|epicondilite|
discopatia degenerativa|escoliose|hanseníase|tuberculose|doença de Chagas|silicose|asbestose|pneumoconiose|
asma brônquica|enfisema pulmonar|fibrose cística|atrofia muscular espinhal|distrofia muscular de Duchenne|
esclerose lateral amiotrófica|miastenia|retinopatia diabética|glaucoma|ceratocone|catarata|degeneração macular|
surdez neurossensorial|perda auditiva induzida por ruído|labirintite|enxaqueca crônica|
acidente vascular cerebral|paralisia cerebral|hidrocefalia|síndrome de Down|doença de Crohn|
retocolite ulcerativa|cirrose hepática|pancreatite|doença celíaca|hipotireoidismo|acromegalia|obesidade mórbida|
psoríase|vitiligo|pênfigo|dermatite de contato|hidradenite supurativa|urticária crônica|mieloma múltiplo|
leucemia mieloide|linfoma de Hodgkin|carcinoma hepatocelular|melanoma metastático|adenocarcinoma de próstata|
glioblastoma|sarcoma|hemofilia|anemia falciforme|talassemia|trombofilia|púrpura trombocitopênica|endometriose|
mola hidatiforme|pré-eclâmpsia|transtorno do pânico|transtorno obsessivo-compulsivo|síndrome de Burnout|
estresse pós-traumático|alcoolismo crônico|dependência química|anorexia|toxoplasmose|leishmaniose|brucelose|
leptospirose|dengue hemorrágica|febre amarela|chikungunya|malária|esquistossomose|osteogênese imperfeita|
mucopolissacaridose|doença de Fabry|doença de Gaucher|doença de Pompe|fenilcetonúria|hiperplasia adrenal`,
  /** Injuries, without article. */
  lesao: `
fratura do fêmur|perda parcial da visão|amputação de dedo|ruptura do menisco|lesão do manguito rotador|
traumatismo craniano|fratura da clavícula|queimadura de segundo grau|luxação do joelho|fratura do tornozelo|
lesão do nervo ulnar|cicatriz na face|perda da audição|fratura da bacia|entorse do punho|
ruptura do tendão de Aquiles|esmagamento da mão|fratura da tíbia|fratura do rádio distal|encurtamento da perna|
paraplegia|tetraplegia|lesão do ligamento cruzado|perfuração do tímpano|descolamento de retina|
fratura de costelas|hemorragia interna|perda de dentes|anquilose do cotovelo|fratura do escafoide|
lesão do plexo braquial|pé caído|limitação da flexão do quadril`,
  /** Known harmful agents, without article. */
  nocivo: `
ruído|calor|frio|poeira de sílica|benzeno|tolueno|xileno|óleos minerais|graxas|hidrocarbonetos aromáticos|chumbo|
mercúrio|cromo|arsênio|amianto|agrotóxicos organofosforados|álcalis cáusticos|formaldeído|amônia|ácido sulfúrico|
ácido clorídrico|soda cáustica|cloro|solventes|vernizes|fumos metálicos|radiação ionizante|
radiação não ionizante|vibração de corpo inteiro|vibração localizada|umidade|esgoto|agentes biológicos|
sangue e secreções|lixo urbano|eletricidade|inflamáveis|explosivos|gás liquefeito de petróleo|negro de fumo|
poeira de algodão|poeira de madeira|carvão mineral|manganês|níquel carbonila|fósforo|iodo|cádmio|berílio|
isocianatos|defensivos clorados|hexano|estireno|acrilonitrila|glutaraldeído`,
  /** Machines and tools, after "com" or "de". */
  aparelho: `
prensa hidráulica|empilhadeira|serra circular|torno mecânico|retroescavadeira|trator|guilhotina|
esteira transportadora|caldeira|furadeira de bancada|betoneira|motosserra|colheitadeira|escavadeira|
ponte rolante|guindaste|injetora de plástico|extrusora|calandra|moinho de martelos|tupia|plaina|desempenadeira|
laminadora|dobradeira|fresadora|retífica|compressor|britador|peneira vibratória|misturador|envasadora|seladora|
rotuladora|desfibradeira|roçadeira|pulverizador costal|plantadeira|ordenhadeira|ensiladeira|picador de cana|
moenda|forno de indução|autoclave|centrífuga|secadora rotativa|passadeira a vapor|máquina de costura overloque|
tear|cardadeira|bordadeira|impressora offset|plotter|rebitadeira|lixadeira orbital|esmerilhadeira|
parafusadeira pneumática|martelete|perfuratriz|dragalina|motoniveladora|rolo compactador|vibroacabadora|
fresadora de asfalto|plataforma elevatória|talha elétrica|paleteira|despolpadeira|descascador de café|
secador de grãos|fatiadora de frios|amassadeira|cilindro de massa|moedor de carne`,
  /** Crops and farm goods, without article. */
  cult: `
café|milho|feijão|mandioca|cana-de-açúcar|soja|arroz|algodão|hortaliças|leite|banana|laranja|tomate|batata|
cebola|alho|fumo|trigo|sorgo|girassol|amendoim|mamona|cacau|coco|caju|manga|uva|maçã|pêssego|goiaba|maracujá|
abacaxi|melancia|melão|abóbora|quiabo|pimentão|pimenta-do-reino|inhame|batata-doce|cenoura|beterraba|repolho|
couve|alface|urucum|sisal|juta|malva|guaraná|açaí|cupuaçu|castanha|babaçu|carnaúba|dendê|seringueira|eucalipto|
erva-mate|morango|figo|caqui|nectarina|lichia|pitaia|abacate|limão|tangerina|acerola|umbu|mel|ovos|frangos|
suínos|ovinos|caprinos|tilápia|camarão`,
  /** Goods of trade, without article. */
  merc: `
energia elétrica|combustíveis|óleo diesel|querosene|lubrificantes|embalagens plásticas|papel|cimento|aço|
alumínio|cobre|vidro|madeira|tecidos|couro|medicamentos|cosméticos|bebidas|cigarros|leite em pó|farinha de trigo|
óleo de soja|açúcar|sal|carnes congeladas|peixes|rações|fertilizantes|sementes|defensivos|pneus|baterias|
autopeças|motocicletas|caminhões usados|tratores|eletrodomésticos|celulares|computadores|semicondutores|
programas de computador|livros eletrônicos|brinquedos|bicicletas|calçados|roupas|joias|relógios|óculos|lentes|
próteses|instrumentos musicais|armas|munições|fogos de artifício|tintas|resinas|borracha|espuma|
fibras sintéticas|gás natural|etanol|biodiesel|gelo|água mineral|sorvetes|café solúvel|chocolates|vinhos|cachaça|
charutos|aeronaves|embarcações|contêineres|paletes|bobinas de aço|cabos elétricos|transformadores|
painéis solares|turbinas eólicas|asfalto|brita|areia|cal|telhas|tijolos|pisos cerâmicos|louças sanitárias`,
  /** Weapons and means, after "com". */
  arma: `
emprego de arma de fogo|uso de faca|emprego de simulacro|uso de barra de ferro|emprego de revólver calibre 38|
uso de pistola|uso de espingarda|uso de machado|uso de martelo|uso de canivete|uso de garrafa quebrada|
uso de explosivo|uso de pé de cabra|uso de veículo furtado|uso de chave falsa|uso de tesoura|uso de facão|
uso de foice|uso de corda|uso de soco-inglês|uso de pedaço de madeira|uso de gasolina|uso de documento falso`,
  /** Things bought, stolen or broken, without article. */
  objeto: `
telefone celular|motocicleta|bicicleta|televisor|notebook|fios de cobre|relógio|cartão bancário|carteira|
cordão de ouro|botijão de gás|peças de roupa|carne bovina|bebidas|ferramentas|pneus|baterias|rádio automotivo|
bolsa|perfumes|cosméticos|chocolates|fraldas|xampu|desodorante|queijo|bacalhau|gado|cavalo|ovelha|galinhas|
bomba de água|gerador|furadeira|esmerilhadeira|roçadeira|violão|caixa de som|câmera fotográfica|videogame|tênis|
boné|óculos de sol|anel|aliança|cheque|passaporte|placa de veículo|catalisador|estepe|capacete|carga de cigarros|
carga de café|defensivos agrícolas|cabos de energia|hidrômetros|grades de ferro|torneiras|lustre|tapete|quadro|
imagem sacra|moedas antigas|selos`,
  /** School subjects, after "de". */
  disc: `
direito administrativo|português|raciocínio lógico|informática|matemática|atualidades|direito constitucional|
física|química|biologia|história|geografia|legislação municipal|enfermagem|contabilidade pública|auditoria|
estatística|economia|pedagogia|psicologia|arquivologia|redação oficial|inglês|espanhol|filosofia|sociologia|
topografia|hidráulica|farmacologia|anatomia|microbiologia|direito tributário|criminalística|medicina legal|
educação física|música|libras|orçamento público`,
  /** Public works, after "de". */
  obra: `
pavimentação asfáltica|drenagem pluvial|construção de creche|reforma de escola|ponte sobre córrego|
rede de esgoto|iluminação pública|quadra poliesportiva|estação de tratamento|adutora|barragem|muro de arrimo|
passarela|terminal rodoviário|mercado municipal|posto de saúde|hospital regional|aterro sanitário|
contenção de encosta|recapeamento|ciclovia|viaduto|canalização de córrego|ginásio|teatro|matadouro|cemitério|
praça|aeroporto|porto fluvial|linha de transmissão|subestação`,
  /** Vegetation, after "hectares de". */
  veget: `
mata atlântica|cerrado|vegetação nativa|mata ciliar|floresta estacional|caatinga|restinga|manguezal|
campo rupestre|vereda|floresta ombrófila|araucárias|capoeira|mata de galeria|buritizal|babaçual|castanhal|
palmeiras nativas|eucalipto|pastagem|várzea|brejo|campo limpo|cerradão|mata seca`,
  /** Minerals, after "lavra de". */
  minerio: `
areia|ouro|granito|argila|minério de ferro|cascalho|diamante|quartzito|mármore|bauxita|manganês|calcário|
esmeralda|nióbio|lítio|fosfato|caulim|grafita|cassiterita|água mineral|ardósia|gipsita|talco|feldspato|turmalina|
topázio|turfa|saibro`,
  /** Flaws of buildings, without article. */
  vicio: `
infiltração|fissuras|mofo|trincas|rachaduras|recalque do piso|deslocamento de azulejos|vazamento hidráulico|
ferrugem|descascamento da pintura|caimento incorreto do piso|portas empenadas|telhas quebradas|fiação exposta|
salitre|eflorescência|umidade ascendente|queda de reboco|esquadrias soltas|tubulação entupida|
desnível do contrapiso|rejunte solto|cupins|goteiras|refluxo de esgoto`,
  /** Kinds of place, without article. */
  lugar: `
supermercado|hospital|escola|posto de gasolina|agência bancária|fazenda|canteiro de obras|padaria|restaurante|
shopping|farmácia|rodoviária|aeroporto|estádio|praça|igreja|clube|academia|galpão|oficina|frigorífico|usina|
laticínio|mercearia|bar|hotel|pousada|motel|lanchonete|açougue|creche|universidade|biblioteca|museu|cinema|
teatro|parque|zoológico|feira livre|matadouro|curtume|olaria|serraria|carvoaria|garimpo|pedreira|marina|porto|
ferrovia|túnel|viaduto|cemitério|presídio|delegacia|quartel|albergue|asilo|clínica|laboratório|consultório|
cartório|sindicato|loteamento|chácara|sítio|condomínio|edifício|garagem|elevador|piscina|quadra de esportes|
lavanderia|salão de beleza|gráfica|estacionamento|pedágio|balsa|represa`,
  /** Departments, after "setor de". */
  setor: `
limpeza|produção|expedição|almoxarifado|cobrança|manutenção|embalagem|costura|montagem|pintura|corte|fundição|
usinagem|estamparia|solda|acabamento|tinturaria|abate|desossa|evisceração|congelamento|padaria|confeitaria|
hortifrúti|frios|caixas|estoque|compras|vendas|crédito|cadastro|tesouraria|contabilidade|recursos humanos|
informática|arquivo|recepção|telefonia|lavanderia|rouparia|hotelaria|nutrição|esterilização|hemodinâmica|
oncologia|pediatria|maternidade|psiquiatria|radiologia|farmácia|necrotério|segurança patrimonial|portaria|
jardinagem|transporte|borracharia|lubrificação|caldeiraria|galvanoplastia|polimento|extrusão|rotulagem|pesagem|
moagem|torrefação|ensaque|carregamento|paletização|qualidade|metrologia|ferramentaria|britagem|flotação|
pelotização`,
  /** Protective gear, after "de". */
  epi: `
protetor auricular|luvas|máscara|respirador|botas|capacete|óculos de proteção|avental de chumbo|creme protetor|
cinto de segurança|perneiras|mangotes|capuz|macacão|touca|viseira|japona térmica|luvas nitrílicas|luvas de raspa|
luvas de malha de aço|colete refletivo|protetor solar|trava-quedas|talabarte|filtro químico|manga anticorte|
calçado antiderrapante|protetor facial`,
  /** Pay items, with "de" before them. */
  parcela: `
adicional noturno|adicional de transferência|gratificação natalina|férias em dobro|terço constitucional|
saldo de salário|salário-família|auxílio-alimentação|cesta básica|vale-transporte|prêmio de produção|comissões|
gorjetas|quebra de caixa|ajuda de custo|diárias de viagem|bônus anual|participação nos resultados|anuênios|
quinquênios|triênios|adicional de risco|adicional de penosidade|abono pecuniário|salário-substituição|
horas in itinere|horas de prontidão|domingos em dobro|feriados trabalhados|intervalo da mulher|auxílio-creche|
auxílio-educação|plano odontológico|seguro de vida|aluguel de veículo|quilômetro rodado|luvas|bicho|
direito de arena|multa normativa|multa convencional|diferença de caixa|uniforme|ferramentas|
indenização adicional|tempo à disposição|pausas ergonômicas|pausa térmica`,
  /** Medical tests, without article. */
  exame: `
ressonância magnética|tomografia|radiografia|ultrassonografia|eletroneuromiografia|audiometria|espirometria|
eletrocardiograma|ecocardiograma|cateterismo|cintilografia|densitometria óssea|endoscopia|colonoscopia|biópsia|
mamografia|hemograma|sorologia|campimetria|tonometria|polissonografia|teste ergométrico|eletroencefalograma|
angiografia|artroscopia|mielografia|citologia|cariótipo|sequenciamento genético|teste de esforço`,
  /** Doctors, after "médico". */
  especialista: `
ortopedista|psiquiatra|cardiologista|neurologista|oncologista|reumatologista|oftalmologista|pneumologista|
endocrinologista|nefrologista|hematologista|infectologista|dermatologista|urologista|ginecologista|angiologista|
geriatra|pediatra|fisiatra|otorrinolaringologista|gastroenterologista|hepatologista|mastologista|anestesista|
neurocirurgião|cirurgião plástico|intensivista|alergista|geneticista|médico do trabalho`,
  /** Papers kept at home, without article. */
  doc: `
certidão de casamento|certidão de nascimento dos filhos|carteira de trabalho|ficha de filiação sindical|
nota fiscal de produtor|certificado de reservista|título eleitoral|histórico escolar|declaração do sindicato|
contrato de parceria rural|contrato de comodato|escritura da terra|recibo de entrega do imposto territorial|
bloco de produtor|ficha de atendimento|cartão de vacinação|carteira de pescador|comprovante de residência|
conta de luz|conta de água|boleto do condomínio|extrato bancário|declaração de imposto de renda|
apólice de seguro|contrato de aluguel|ficha de matrícula escolar|declaração de união estável|
fotografias do casal|correspondências|carnê de contribuição|guia de recolhimento|ficha funerária|
certidão de óbito|termo de guarda|cadastro de assentado|ficha de crediário|cédula rural|autorização de pesca`,
  /** Complaints, without article. */
  sintoma: `
dor lombar|dor no ombro|tontura|insônia|fadiga|falta de ar|dormência nas mãos|formigamento|perda de força|
tremores|cefaleia|zumbido|visão turva|palpitações|crises de choro|crises convulsivas|inchaço nas pernas|
rigidez matinal|limitação de movimentos|tosse crônica|febre recorrente|náuseas|perda de peso|esquecimento|
irritabilidade|alucinações|isolamento social|dificuldade para caminhar|dor torácica|coceira|manchas na pele|
sangramento`,
  /** Courses of study, after "curso de". */
  curso: `
medicina|direito|enfermagem|engenharia civil|pedagogia|administração|odontologia|psicologia|farmácia|veterinária|
agronomia|arquitetura|fisioterapia|nutrição|biomedicina|jornalismo|letras|história|química|física|matemática|
computação|música|dança|teologia|serviço social|economia|turismo|gastronomia|radiologia|logística|eletrotécnica|
mecatrônica|topografia|zootecnia|engenharia florestal|oceanografia|geologia|museologia|biblioteconomia|
fonoaudiologia|terapia ocupacional|educação física|design|moda|fotografia|aviação civil`,
};

/** The slots that draw a word of the world. */
export const WORLD_NAMES: readonly string[] = Object.keys(WORLD);

/** The words of each slot, in the order of WORLD_NAMES, kept ready to say. */
export const WORLD_PIECES: readonly (readonly Piece[])[] = Object.values(WORLD).map((words) =>
  words.trim().split(/\|\s*/u).map(keep),
);
